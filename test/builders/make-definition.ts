/** One version of a kind as a CustomResourceDefinition has it. */
type DefinitionVersion = Readonly<Record<string, unknown>>;

const OPEN_SCHEMA = { openAPIV3Schema: { type: 'object' } };

/** A CustomResourceDefinition of a namespaced kind of `example.com/v1`, such as Widget with the plural `widgets`. */
export function makeDefinition(kind: string, version: DefinitionVersion = {}) {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      names: { plural, singular, kind },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: OPEN_SCHEMA, ...version }],
    },
  };
}
