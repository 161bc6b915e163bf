import { utf8ByteLength } from '../lib/utf8.ts';

/**
 * The syntax of label keys and values, with the API's own error messages
 * (apimachinery/pkg/api/validate/content/{kube,dns,errors}.go). The messages appear in scheduling errors, so their
 * wording must not change.
 */
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
export const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;

const NAME_MAX_BYTES = 63;
const SUBDOMAIN_MAX_BYTES = 253;

/** A key that is valid, and so short that neither part is too long. */
const SHORT_KEY = new RegExp(`^(${SUBDOMAIN}/)?${NAME}$`);
const NAME_PATTERN = new RegExp(`^${NAME}$`);
const VALUE_PATTERN = new RegExp(`^(${NAME})?$`);
export const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);

const ALPHANUMERIC_ENDS = 'and must start and end with an alphanumeric character';
const NAME_RULE = `must consist of alphanumeric characters, '-', '_' or '.', ${ALPHANUMERIC_ENDS}`;
const NAME_PROBLEM =
  `${NAME_RULE} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for ` + `validation is '${NAME}')`;
const VALUE_PROBLEM =
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
  `${ALPHANUMERIC_ENDS} ` +
  `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${NAME})?')`;
const SUBDOMAIN_PROBLEM =
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ` +
  `${ALPHANUMERIC_ENDS} ` +
  `(e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;

/** Problems of a label key (`name` or `dns.prefix/name`); empty when it is valid. */
export function labelKeyProblems(key: string): string[] {
  if (key.length <= NAME_MAX_BYTES && SHORT_KEY.test(key)) return [];
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${NAME_PROBLEM} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const name = parts[parts.length - 1] ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (utf8ByteLength(name) > NAME_MAX_BYTES) problems.push(`name part ${tooLong(NAME_MAX_BYTES)}`);
  if (!NAME_PATTERN.test(name)) problems.push(`name part ${NAME_PROBLEM}`);
  return problems;
}

/** Problems of a label value; empty when it is valid. */
export function labelValueProblems(value: string): string[] {
  return formProblems(value, NAME_MAX_BYTES, VALUE_PATTERN, VALUE_PROBLEM);
}

/** Problems of a name that may have dots, such as `example.com`. */
export function subdomainProblems(text: string): string[] {
  return formProblems(text, SUBDOMAIN_MAX_BYTES, SUBDOMAIN_PATTERN, SUBDOMAIN_PROBLEM);
}

/** What is wrong with a text: its length first, then its form. */
export function formProblems(text: string, maxBytes: number, form: RegExp, problem: string): string[] {
  const problems = utf8ByteLength(text) > maxBytes ? [tooLong(maxBytes)] : [];
  return form.test(text) ? problems : [...problems, problem];
}

function tooLong(maxBytes: number): string {
  return `must be no more than ${maxBytes} bytes`;
}
