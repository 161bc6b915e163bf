/**
 * Writes `data/api-types.json`: the structs of the Kubernetes API with their members, from the type descriptions in the
 * `helm` program, which is a client of the API in Go, and `list-types.json` beside this file.
 *
 *   npx tsx generate/api-types.ts PATH_OF_HELM
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type GoField, GoProgram, type GoType } from './go-types.ts';

const GROUPS = [
  ...['admissionregistration/v1', 'apps/v1', 'authentication/v1', 'authorization/v1', 'autoscaling/v1'],
  ...['autoscaling/v2', 'batch/v1', 'certificates/v1', 'coordination/v1', 'core/v1', 'discovery/v1', 'events/v1'],
  ...['flowcontrol/v1', 'networking/v1', 'node/v1', 'policy/v1', 'rbac/v1', 'resource/v1', 'scheduling/v1'],
  ...['storage/v1', 'policy/v1beta1', 'scheduling/v1alpha2'],
];

/** Types that write themselves as JSON. */
const SPECIAL: Readonly<Record<string, string>> = {
  'k8s.io/apimachinery/pkg/apis/meta/v1.Time': 'time',
  'k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime': 'microtime',
  'k8s.io/apimachinery/pkg/apis/meta/v1.Duration': 'duration',
  'k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1': 'raw',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'intorstring',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'raw',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON': 'raw',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray': 'schemaorarray',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool': 'schemaorbool',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray': 'schemaorstrings',
};

interface ListTypes {
  readonly lists: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly atomicStructs: readonly string[];
  readonly atomicFields: readonly string[];
}

const listTypes = JSON.parse(readFileSync(new URL('list-types.json', import.meta.url), 'utf8')) as ListTypes;

function idOf({ pkg, text }: GoType): string {
  const name = text.slice(text.indexOf('.') + 1);
  if (pkg.includes('apiextensions-apiserver')) return `apiextensions/v1.${name}`;
  return `${pkg.replace('k8s.io/api/', '').replace('k8s.io/apimachinery/pkg/apis/', '')}.${name}`;
}

const types: Record<string, string[]> = {};

function describe(type: GoType): string {
  if (type.kind === 'ptr') return `*${describe(type.elem!)}`;
  if (type.kind === 'slice') {
    if (type.elem!.kind === 'uint8') return 'bytes';
    const named = type.text.startsWith('[]') ? '' : `:${type.text}:`;
    return `[]${named}${describe(type.elem!)}`;
  }
  if (type.kind === 'map') {
    const key = /^map\[([^\]]+)\]/.exec(type.text)?.[1];
    const named = key === undefined || key !== 'string' ? `:${type.text}:` : '';
    return `{}${named}${describe(type.elem!)}`;
  }
  if (type.kind !== 'struct') return type.text === type.kind ? type.kind : `${type.kind}:${type.text}`;
  const special = SPECIAL[`${type.pkg}.${type.text.slice(type.text.indexOf('.') + 1)}`];
  if (special !== undefined) return special;
  addStruct(type);
  return idOf(type);
}

function addStruct(type: GoType): void {
  const id = idOf(type);
  if (types[id] !== undefined) return;
  types[id] = [];
  types[id] = fieldsOf(type, id);
}

/** `within`: the protobuf numbers of the embedded structs around the field, which JSON does not show. */
function fieldsOf(type: GoType, id: string, within: readonly string[] = []): string[] {
  return type.fields!.flatMap((field) => {
    const json = tagOf(field, 'json') ?? '';
    const [name = '', ...options] = json.split(',');
    if (name === '-') return [];
    if (name === '' && field.isEmbedded && field.type.kind === 'struct') {
      return fieldsOf(field.type, id, [...within, protobufNumber(field)]);
    }
    if (name === '') return [];
    const number = [...within, protobufNumber(field)].join('.');
    const row = rowOf(field, id, name, options);
    return [/^\d+(?:\.\d+)*$/.test(number) ? `${row} pb=${number}` : row];
  });
}

function rowOf(field: GoField, id: string, name: string, options: readonly string[]): string {
  const row = [name, describe(field.type)];
  if (options.includes('omitempty')) row.push('omitempty');
  if (options.includes('omitzero')) row.push('omitzero');
  if (field.name !== name.slice(0, 1).toUpperCase() + name.slice(1)) row.push(`go=${field.name}`);
  const strategy = tagOf(field, 'patchStrategy');
  const key = tagOf(field, 'patchMergeKey');
  if (strategy !== undefined) row.push(`patch=${strategy}`);
  if (key !== undefined) row.push(`key=${key}`);
  const list = listTypes.lists[id]?.[name] ?? (strategy?.includes('merge') ? (key ?? 'set') : undefined);
  if (list !== undefined && list !== 'atomic' && field.type.kind === 'slice') row.push(`list=${list}`);
  if (listTypes.atomicFields.includes(`${id}.${name}`)) row.push('atomic');
  return row.join(' ');
}

/** The number of a field in protobuf, '' for one that has none. */
function protobufNumber(field: GoField): string {
  return tagOf(field, 'protobuf')?.split(',')[1] ?? '';
}

function tagOf(field: GoField, key: string): string | undefined {
  return new RegExp(`(?:^| )${key}:"([^"]*)"`).exec(field.tag)?.[1];
}

const program = process.argv[2];
if (program === undefined) throw new Error('the path of the helm program is missing');
const wanted = new Set(GROUPS.map((group) => `k8s.io/api/${group}`));
wanted.add('k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1');
const isKind = (type: GoType): boolean =>
  type.fields!.some(({ name, isEmbedded }) => isEmbedded && name === 'TypeMeta');
const META_KINDS = new Set(['DeleteOptions', 'Status', 'ListMeta', 'Condition']);
for (const type of new GoProgram(program).structs()) {
  if (wanted.has(type.pkg) && isKind(type) && !type.text.endsWith('List')) describe(type);
  if (type.pkg.endsWith('/apis/meta/v1') && META_KINDS.has(type.text.slice(3))) describe(type);
}
const ids = Object.keys(types).sort();
const lines = ids.map((id) => {
  const rows = types[id]!.map((row) => `\n    ${JSON.stringify(row)}`);
  return `  ${JSON.stringify(id)}: [${rows.join(',')}\n  ]`;
});
const atomic = listTypes.atomicStructs.filter((id) => types[id] !== undefined);
const text = `{\n"atomic": ${JSON.stringify(atomic)},\n"types": {\n${lines.join(',\n')}\n}\n}\n`;
writeFileSync(new URL('../data/api-types.json', import.meta.url), text);
