// Prints the number of indicators in the bundle, if the library makes the same IDs.
import { generateDeterministicId, isIdentifierType } from "@security-alliance/stix/2.1";

import { bundle } from "./bundle.mjs";

for (const { id, created, name, pattern } of bundle.objects) {
  const same = generateDeterministicId("indicator", { created, name, pattern }, "ad2b593e-0c61-4f87-9e54-71d03a86fb1c");
  if (!isIdentifierType(id, "indicator") || id !== same) {
    throw new Error(`${id} is not ${same}`);
  }
}
console.log(bundle.objects.length);
