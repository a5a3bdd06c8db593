// A worker of the page's own that answers for the rules.
import "@apguard/rules/rules-worker.js";
