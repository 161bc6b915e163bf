import { labelKeyProblems, labelValueProblems, SUBDOMAIN_PATTERN } from '../label-syntax.ts';
import { type Check, isMissing, problemsOf, quote } from './check.ts';
import { string } from './shapes.ts';

/** The forms of names in the API (apimachinery `validation.go`). */

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

function form(what: string, maxLength: number, pattern: RegExp, rule: string): Check {
  return (value, field, problems) => {
    if (isMissing(value)) return;
    if (typeof value !== 'string') string(value, field, problems);
    else if (value.length > maxLength) {
      problems.push({ field, reason: `${what} ${quote(value)} is longer than ${maxLength} characters` });
    } else if (!pattern.test(value)) {
      problems.push({ field, reason: `bad ${what} ${quote(value)} (${rule})` });
    }
  };
}

const LOWERCASE_RULE = "lower-case letters, digits and '-', with a letter or digit at both ends";

/** RFC 1123 label, at most 63 characters: namespaces, container names. */
export const dnsLabel: Check = form('name', 63, DNS_LABEL, LOWERCASE_RULE);

/** RFC 1123 subdomain, at most 253 characters: names of nodes and pods. */
export const dnsSubdomain: Check = form('name', 253, SUBDOMAIN_PATTERN, `${LOWERCASE_RULE}, in parts joined by '.'`);

/** The form of nearly all keys and values, which need no further checks. */
const PLAIN_WORD = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** A label's value: empty, or at most 63 characters. */
export const labelValue: Check = (value, field, problems) => {
  if (isMissing(value) || (typeof value === 'string' && PLAIN_WORD.test(value))) return;
  if (typeof value !== 'string') string(value, field, problems);
  else if (labelValueProblems(value).length > 0) {
    const rule = "at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends";
    problems.push({ field, reason: `bad label value ${quote(value)} (${rule})` });
  }
};

/** Checks `[prefix/]name`: keys of labels, annotations and taints, names of resources and gates. */
export const qualifiedName: Check = (value, field, problems) => {
  if (isMissing(value) || goodKeys.has(value as string)) return;
  if (typeof value !== 'string') string(value, field, problems);
  else if (!PLAIN_WORD.test(value) && labelKeyProblems(value).length > 0) {
    problems.push({ field, reason: `bad key ${quote(value)} (expected [prefix/]name, name at most 63 characters)` });
  } else {
    if (goodKeys.size >= GOOD_KEYS_MAX) goodKeys.clear();
    goodKeys.add(value);
  }
};

/** Whether the text is valid as a key, by `qualifiedName`. */
export function isGoodKey(key: string): boolean {
  return goodKeys.has(key) || problemsOf(qualifiedName, key).length === 0;
}

/** Valid keys, since a cluster uses few keys again and again. */
const goodKeys = new Set<string>();
const GOOD_KEYS_MAX = 1000;

/** Checks an annotation key; the API compares them in lower case. */
export const annotationKey: Check = (value, field, problems) => {
  qualifiedName(typeof value === 'string' ? value.toLowerCase() : value, field, problems);
};
