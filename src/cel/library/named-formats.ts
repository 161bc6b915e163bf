import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { CelType, listOf, optionalOf, STRING } from '../values/types.ts';
import { Opaque, Optional, type Outcome, type Value } from '../values/value.ts';

const FORMAT = new CelType('opaque', 'kubernetes.NamedFormat');

/** Names begin and end with a letter or digit; the texts are those of apimachinery's validation. */
function formMessage(kind: string, parts: string, ends: string, examples: readonly string[], regex: string): string {
  const [first, ...rest] = examples.map((example) => `'${example}'`);
  const shown = [first, ...rest.map((example) => ` or ${example}`)].join(', ');
  return `${kind} ${parts}, ${ends} (e.g. ${shown}, regex used for validation is '${regex}')`;
}

const LOWER = `must consist of lower case alphanumeric characters`;
const BOTH_ENDS = `and must start and end with an alphanumeric character`;
const LABEL_REGEX = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const NAME_REGEX = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_FORM = formMessage(
  'a lowercase RFC 1123 label',
  `${LOWER} or '-'`,
  BOTH_ENDS,
  ['my-name', '123-abc'],
  LABEL_REGEX,
);
const SUBDOMAIN_FORM = formMessage(
  'a lowercase RFC 1123 subdomain',
  `${LOWER}, '-' or '.'`,
  BOTH_ENDS,
  ['example.com'],
  `${LABEL_REGEX}(\\.${LABEL_REGEX})*`,
);
const LABEL_1035_FORM = formMessage(
  'a DNS-1035 label',
  `${LOWER} or '-'`,
  'start with an alphabetic character, and end with an alphanumeric character',
  ['my-name', 'abc-123'],
  '[a-z]([-a-z0-9]*[a-z0-9])?',
);
const MIXED = `must consist of alphanumeric characters, '-', '_' or '.'`;
const QUALIFIED_FORM = formMessage('name part', MIXED, BOTH_ENDS, ['MyName', 'my.name', '123-abc'], NAME_REGEX);
const VALUE_FORM = formMessage(
  'a valid label must be an empty string or',
  MIXED.replace('must ', ''),
  BOTH_ENDS,
  ['MyValue', 'my_value', '12345'],
  `(${NAME_REGEX})?`,
);
const ONE_PREFIX = `a qualified name ${MIXED}, ${BOTH_ENDS} with an optional DNS subdomain prefix and '/'`;

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const UUID = /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Check = (text: string) => string[];

/** Says what is wrong: the length first, then the form. */
function matching(most: number, form: RegExp, message: string): Check {
  return (text) => [
    ...(text.length > most ? [`must be no more than ${most} characters`] : []),
    ...(form.test(text) ? [] : [message]),
  ];
}

/** Prefixes may end with a dash. */
const asPrefix = (text: string): string => (text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text);

function qualifiedName(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [`${ONE_PREFIX} (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : null;
  const wrong =
    prefix === null ? [] : matching(253, SUBDOMAIN, SUBDOMAIN_FORM)(prefix).map((one) => `prefix part ${one}`);
  if (prefix === '') wrong.unshift('prefix part must be non-empty');
  if (name === '') wrong.push('name part must be non-empty');
  if (name.length > 63) wrong.push('name part must be no more than 63 characters');
  return NAME.test(name) ? wrong : [...wrong, QUALIFIED_FORM];
}

function isReal(text: string): string[] {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDate ? [] : ['invalid date'];
}

const FORMATS: Readonly<Record<string, Check>> = {
  dns1123Label: matching(63, LABEL, LABEL_FORM),
  dns1123Subdomain: matching(253, SUBDOMAIN, SUBDOMAIN_FORM),
  dns1035Label: matching(63, LABEL_1035, LABEL_1035_FORM),
  dns1123LabelPrefix: (text) => matching(63, LABEL, LABEL_FORM)(asPrefix(text)),
  dns1123SubdomainPrefix: (text) => matching(253, SUBDOMAIN, SUBDOMAIN_FORM)(asPrefix(text)),
  dns1035LabelPrefix: (text) => matching(63, LABEL_1035, LABEL_1035_FORM)(asPrefix(text)),
  qualifiedName,
  labelValue: (text) => (text === '' ? [] : matching(63, NAME, VALUE_FORM)(text)),
  uri: (text) =>
    /^([A-Za-z][A-Za-z0-9+.-]*:)?\//.test(text) ? [] : [`parse ${JSON.stringify(text)}: invalid URI for request`],
  uuid: (text) => (UUID.test(text) ? [] : ['does not match the UUID format']),
  byte: (text) => (BASE64.test(text) ? [] : ['invalid base64']),
  date: isReal,
  datetime: (text) => (Number.isNaN(Date.parse(text)) || !text.includes('T') ? ['invalid datetime'] : []),
};

class NamedFormat extends Opaque {
  readonly type = FORMAT;
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  equals(other: NamedFormat): boolean {
    return this.name === other.name;
  }
}

function validate(format: Value, text: Value): Outcome {
  const wrong = FORMATS[(format as NamedFormat).name]?.(text as string) ?? [];
  return wrong.length === 0 ? Optional.NONE : new Optional(wrong);
}

function named(name: Value): Outcome {
  return Object.hasOwn(FORMATS, name as string) ? new Optional(new NamedFormat(name as string)) : Optional.NONE;
}

/** Formats by name (apiserver/pkg/cel/library/format.go): `format.dns1123Label().validate(text)`. */
export const namedFormatFunctions: readonly FunctionDeclaration[] = [
  ...Object.keys(FORMATS).map((name) =>
    functionOf(
      `format.${name}`,
      global(`format-${name}`, [], FORMAT, () => new NamedFormat(name)),
    ),
  ),
  functionOf('format.named', global('', [STRING], optionalOf(FORMAT), named)),
  functionOf('validate', member('', [FORMAT, STRING], optionalOf(listOf(STRING)), validate)),
];
