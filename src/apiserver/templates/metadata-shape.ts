import { type ApiMetadata, isJsonObject } from '../../kinds/object/json.ts';

type Labels = Readonly<Record<string, string>>;

/** What metadata say, apart from the name and the values of labels. */
export interface MetadataShape {
  /** Equal for metadata that differ in nothing but these. */
  readonly shape: string;
  readonly name: string | undefined;
  readonly labels: Labels | undefined;
}

/** Every kind may have such a name, and none warns of it. */
const PLAIN_NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-\w.]{0,61}[A-Za-z0-9])?)?$/;

/** Undefined for names and values of labels about which there may be something to say. */
export function metadataShape(metadata: ApiMetadata): MetadataShape | undefined {
  let shape = '';
  let labels: Labels | undefined;
  for (const key in metadata) {
    const value = metadata[key];
    if (key === 'name') {
      if (typeof value !== 'string' || !PLAIN_NAME.test(value)) return undefined;
      shape += 'name,';
    } else if (key === 'labels' && isJsonObject(value)) {
      const keys = keysOfLabels(value);
      if (keys === undefined) return undefined;
      shape += keys;
      labels = value as Labels;
    } else {
      shape += `${JSON.stringify(key)}:${JSON.stringify(value)},`;
    }
  }
  return { shape, name: metadata.name, labels };
}

function keysOfLabels(labels: object): string | undefined {
  let keys = 'labels:';
  for (const [key, value] of Object.entries(labels)) {
    if (typeof value !== 'string' || !LABEL_VALUE.test(value)) return undefined;
    keys += `${JSON.stringify(key)},`;
  }
  return keys;
}

export function areSameLabels(a: Labels, b: Labels): boolean {
  for (const key in a) if (a[key] !== b[key]) return false;
  return true;
}
