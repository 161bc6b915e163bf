import {
  formProblems,
  LABEL,
  labelKeyProblems,
  labelValueProblems,
  subdomainProblems,
} from '../../api/label-syntax.ts';
import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { CelType, listOf, optionalOf, STRING } from '../values/types.ts';
import { Opaque, Optional, type Outcome, type Value } from '../values/value.ts';

const FORMAT = new CelType('opaque', 'kubernetes.NamedFormat');

const LOWER = `must consist of lower case alphanumeric characters or '-'`;
const END = 'end with an alphanumeric character';
const LABEL_FORM =
  `a lowercase RFC 1123 label ${LOWER}, and must start and ${END} ` +
  `(e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const LABEL_1035_FORM =
  `a DNS-1035 label ${LOWER}, start with an alphabetic character, and ${END} ` +
  `(e.g. 'my-name',  or 'abc-123', regex used for validation is '${LABEL_1035}')`;
const LABEL_MAX_BYTES = 63;

const UUID = /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Check = (text: string) => string[];

const labelProblems: Check = (text) => formProblems(text, LABEL_MAX_BYTES, LABEL_PATTERN, LABEL_FORM);
const label1035Problems: Check = (text) => formProblems(text, LABEL_MAX_BYTES, LABEL_1035_PATTERN, LABEL_1035_FORM);
const LABEL_PATTERN = new RegExp(`^${LABEL}$`);
const LABEL_1035_PATTERN = new RegExp(`^${LABEL_1035}$`);

/** Prefixes may end with a dash. */
function ofPrefix(check: Check): Check {
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

function isReal(text: string): string[] {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDate ? [] : ['invalid date'];
}

const FORMATS: Readonly<Record<string, Check>> = {
  dns1123Label: labelProblems,
  dns1123Subdomain: subdomainProblems,
  dns1035Label: label1035Problems,
  dns1123LabelPrefix: ofPrefix(labelProblems),
  dns1123SubdomainPrefix: ofPrefix(subdomainProblems),
  dns1035LabelPrefix: ofPrefix(label1035Problems),
  qualifiedName: labelKeyProblems,
  labelValue: labelValueProblems,
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
