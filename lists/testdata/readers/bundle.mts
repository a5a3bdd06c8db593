// The test writes a bundle behind the last line.
import type { Identifier, Indicator } from "@security-alliance/stix/2.1";

type Bundle = { type: "bundle"; id: Identifier<"bundle">; objects: Indicator[] };

// @ts-expect-error The types require what the specification does, such as valid_from.
export const incomplete: Indicator = {
  type: "indicator", spec_version: "2.1", id: "indicator--d3584781-51d4-5b36-87cd-01f13fa8ef80",
  created: "2025-01-05T10:00:00.000Z", modified: "2025-01-05T10:00:00.000Z",
  name: "bad.com", pattern: "[domain-name:value = 'bad.com']", pattern_type: "stix",
};

export const bundle: Bundle =
