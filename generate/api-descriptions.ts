/**
 * Writes `data/api-descriptions.json`: what the API's published OpenAPI document says of its types beyond their shape,
 * from the declarations in the npm packages `kubernetes-models` and `@kubernetes-models/apimachinery`, which are made
 * of that document; types that these do not have are described by `client-descriptions.ts`.
 *
 *   npx tsx generate/api-descriptions.ts PATH_OF_KUBERNETES_MODELS PATH_OF_APIMACHINERY
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientDescription, type Description } from './client-descriptions.ts';

const [models, apimachinery] = process.argv.slice(2);
if (models === undefined || apimachinery === undefined) throw new Error('the paths of the two packages are missing');

/** Types that write themselves as JSON, and the files that tell of them. */
const SPECIAL: Readonly<Record<string, string>> = {
  'meta/v1.Time': join(apimachinery, 'apis/meta/v1/Time.d.ts'),
  'meta/v1.MicroTime': join(apimachinery, 'apis/meta/v1/MicroTime.d.ts'),
  'meta/v1.FieldsV1': join(apimachinery, 'apis/meta/v1/FieldsV1.d.ts'),
  'runtime.RawExtension': join(apimachinery, 'runtime/RawExtension.d.ts'),
  'util/intstr.IntOrString': join(apimachinery, 'util/intstr/IntOrString.d.ts'),
  ...Object.fromEntries(
    ['JSON', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'].map((name) => [
      `apiextensions/v1.${name}`,
      join(models, `apiextensions.k8s.io/v1/${name}.d.ts`),
    ]),
  ),
};

/** Kinds of machinery that Berth does not have are stored, but the package has no room for the texts about them. */
const WITHOUT_TEXTS = /^(?:admissionregistration|authentication|authorization|certificates|flowcontrol)\//;

/** Every kind has these two members: they are told of once. */
const TYPE_META = ['apiVersion', 'kind'];

function fileOf(id: string): string | undefined {
  const [group = '', rest = ''] = id.split('/');
  const [version = '', name = ''] = rest.split('.');
  const groups = readdirSync(models as string).filter((folder) => folder.split('.')[0] === group);
  const folders = group === 'core' ? ['.'] : groups;
  const candidates = folders.map((folder) => join(models as string, folder, version, `${name}.d.ts`));
  if (group === 'meta') candidates.push(join(apimachinery as string, 'apis/meta', version, `${name}.d.ts`));
  return SPECIAL[id] ?? candidates.find((path) => existsSync(path));
}

function described(source: string): Description {
  const start = source.indexOf('\nexport interface ');
  const text = commentBefore(start < 0 ? source.slice(0, source.indexOf('\nexport type ')) : source.slice(0, start));
  if (start < 0) return { ...(text === undefined ? {} : { text }) };
  const body = source.slice(start, source.indexOf('\n}\n', start));
  const isKind = /^\nexport interface \S+ extends TypeMeta/.test(body);
  const description: Description = text === undefined ? {} : { text };
  for (const { 1: name = '', 2: mark, 3: type = '', index } of body.matchAll(/\n {4}"([^"]+)"(\??): (.*)/g)) {
    if (isKind && TYPE_META.includes(name)) continue;
    const told = commentBefore(body.slice(0, index));
    if (told !== undefined) description.fields = { ...description.fields, [name]: told };
    if (mark === '') description.required = [...(description.required ?? []), name];
    const values = [...type.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value);
    if (values.length > 0) description.enums = { ...description.enums, [name]: values };
  }
  return description;
}

/** The text of the comment at the end of a piece of source. */
function commentBefore(source: string): string | undefined {
  const start = source.lastIndexOf('/**\n');
  if (start < 0 || !source.endsWith('*/')) return undefined;
  const lines = source.slice(start, -2).split('\n').slice(1, -1);
  return lines
    .map((line) => line.replace(/^ *\* ?/, ''))
    .join('\n')
    .replaceAll('\\*', '*')
    .replaceAll('*\\/', '*/');
}

const { types } = JSON.parse(readFileSync(new URL('../data/api-types.json', import.meta.url), 'utf8')) as {
  types: Readonly<Record<string, unknown>>;
};
const lines: string[] = [];
const { fields = {} } = described(readFileSync(join(apimachinery, 'apis/meta/v1/DeleteOptions.d.ts'), 'utf8'));
const typeMeta = { fields: Object.fromEntries(TYPE_META.map((name) => [name, fields[name]])) };
lines.push(`"meta/v1.TypeMeta": ${JSON.stringify(typeMeta)}`);
for (const id of [...Object.keys(types), ...Object.keys(SPECIAL)].sort()) {
  const path = fileOf(id);
  const found = path === undefined ? clientDescription(id) : described(readFileSync(path, 'utf8'));
  if (found === undefined) continue;
  const { text, fields, ...rest } = found;
  const description = WITHOUT_TEXTS.test(id) ? rest : { text, fields, ...rest };
  if (Object.keys(description).length > 0) lines.push(`${JSON.stringify(id)}: ${JSON.stringify(description)}`);
}
writeFileSync(new URL('../data/api-descriptions.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
