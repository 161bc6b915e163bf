import * as models from 'client-node-2/dist/gen/models/all.js';
import { KINDS } from '../../../src/api/kinds.ts';

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}

/** Kinds besides those that scheduling reads: workloads, from which pods are made. */
const WORKLOADS = ['Deployment', 'DaemonSet', 'Job', 'CronJob', 'PodTemplate'];
const LINE_MAX = 116;

/** The types that the kinds consist of, with their fields, as the official client's generated code has them. */
function reachableTypes(): Map<string, readonly Attribute[]> {
  const found = new Map<string, readonly Attribute[]>();
  const open = [...Object.keys(KINDS), ...WORKLOADS].map((kind) => `V1${kind}`);
  for (let type = open.shift(); type !== undefined; type = open.shift()) {
    const attributes = attributesOf(type);
    if (attributes === undefined || found.has(type)) continue;
    found.set(type, attributes);
    open.push(...attributes.map((attribute) => elementOf(attribute.type)));
  }
  return found;
}

function attributesOf(type: string): readonly Attribute[] | undefined {
  return (models as unknown as Record<string, { readonly attributeTypeMap?: readonly Attribute[] }>)[type]
    ?.attributeTypeMap;
}

/** The type of the elements of a list or map, or the type itself. */
function elementOf(type: string): string {
  const inner = /^Array<(.*)>$/.exec(type) ?? /^\{ \[key: string\]: (.*); \}$/.exec(type);
  return inner === null ? type : elementOf(inner[1] as string);
}

/**
 * The table as it stands in `src/api/fields/field-table.ts`: a type a paragraph, `Name field field:Type list:Type[]
 * map:Type{}`. Fields without a type have no fields inside that could be checked.
 */
export function fieldTable(): string {
  const types = reachableTypes();
  const paragraphs = [...types].map(([name, attributes]) => {
    const fields = attributes.map(({ baseName, type }) => {
      const element = elementOf(type);
      if (!types.has(element)) return baseName;
      const suffix = type.startsWith('Array<') ? '[]' : type.startsWith('{') ? '{}' : '';
      return `${baseName}:${plain(element)}${suffix}`;
    });
    return wrapped([plain(name), ...fields]);
  });
  return `\n${paragraphs.sort().join('\n')}\n`;
}

function plain(type: string): string {
  return type.replace(/^V1(?!alpha|beta)/, '');
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line.length + word.length >= LINE_MAX) {
      lines.push(line);
      line = ` ${word}`;
    } else line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}
