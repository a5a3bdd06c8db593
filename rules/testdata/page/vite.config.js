export default {
  optimizeDeps: { exclude: ["@apguard/rules"] },
  preview: { headers: { "Content-Security-Policy": "default-src 'self' 'wasm-unsafe-eval'; connect-src *" } },
};
