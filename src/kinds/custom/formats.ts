import { isIP } from 'node:net';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject } from '../object/json.ts';
import { dnsLabel, dnsSubdomain } from '../validation/checks.ts';

/** The formats of texts that schemas of custom resources may name (strfmt of kube-openapi). */

const HEX = '[0-9a-f]';
const uuid = (third: string, fourth: string): RegExp =>
  new RegExp(`^${HEX}{8}-?${HEX}{4}-?${third}-?${fourth}-?${HEX}{12}$`, 'i');
const VARIANT = `[89ab]${HEX}{3}`;
const BYTE = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const HOST_LETTER = String.raw`[a-zA-Z0-9\p{S}\p{L}]`;
const HOST_PART = String.raw`${HOST_LETTER}(?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}${HOST_LETTER})?`;
const HOST_NAME = new RegExp(
  String.raw`^(?:${HOST_LETTER}(?:-?${HOST_LETTER}{0,62})?|(?:${HOST_PART}\.)+[a-zA-Z\p{L}]{2,63})$`,
  'u',
);
const GO_DURATION = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
/** A unit is one of these in any case, or begins with the last of its words. */
const DURATION_UNITS: readonly (readonly string[])[] = [
  ...[
    ['ns', 'nano'],
    ['us', 'µs', 'micro'],
    ['ms', 'milli'],
    ['s', 'sec'],
    ['m', 'min'],
  ],
  ...[
    ['h', 'hr', 'hour'],
    ['d', 'day'],
    ['w', 'wk', 'week'],
  ],
];

type Check = RegExp | ((text: string) => boolean);

const CHECKS: Readonly<Record<string, Check>> = {
  bsonobjectid: /^[0-9a-fA-F]{24}$/,
  uri: isRequestUri,
  email: /^(?:[^<>@]*<\s*)?[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()\\]+>?$/,
  hostname: (text) => text.length <= 255 && HOST_NAME.test(text) && text.split('.').every(({ length }) => length <= 63),
  ipv4: (text) => isIP(text) > 0 && text.includes('.'),
  ipv6: (text) => isIP(text) > 0 && text.includes(':'),
  cidr: isRange,
  mac: isHardwareAddress,
  uuid: uuid(`${HEX}{4}`, `${HEX}{4}`),
  uuid3: uuid(`3${HEX}{3}`, `${HEX}{4}`),
  uuid4: uuid(`4${HEX}{3}`, VARIANT),
  uuid5: uuid(`5${HEX}{3}`, VARIANT),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (text) => CREDIT_CARD.test(text.replace(/\D/g, '')),
  ssn: /^\d{3}[- ]?\d{2}[- ]?\d{4}$/,
  hexcolor: /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
  rgbcolor: new RegExp(String.raw`^rgb\(${BYTE},${BYTE},${BYTE}\)$`),
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/,
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => dnsLabel('', text).length === 0,
  k8slongname: (text) => dnsSubdomain('', text).length === 0,
};

const CREDIT_CARD = new RegExp(
  String.raw`^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|` +
    String.raw`3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$`,
);

/** Dashes in the name of a format do not matter. */
function checkOf(format: string): Check | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
}

/** Whether a text has a format. Formats that nobody knows are not checked. */
export function hasFormat(text: string, format: string): boolean {
  const check = checkOf(format);
  if (check === undefined) return true;
  return check instanceof RegExp ? check.test(text) : check(text);
}

/** The formats of texts in a schema that nobody knows. */
export function unknownFormats(schema: JsonObject): string[] {
  const format = textAt(schema, 'format');
  const own = format !== '' && textAt(schema, 'type') === 'string' && checkOf(format) === undefined ? [format] : [];
  const below = [
    ...[schema['items'], ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => objectsAt(schema, name)), schema['not']],
    ...[...Object.values(objectAt(schema, 'properties') ?? {}), schema['additionalProperties']],
  ];
  return [...own, ...below.flatMap((part) => (isJsonObject(part) ? unknownFormats(part) : []))];
}

/** An absolute URI, or an absolute path, as an HTTP request has it. */
function isRequestUri(text: string): boolean {
  return /^(?:\/|[a-zA-Z][a-zA-Z0-9+.-]*:)\P{C}*$/u.test(text) && !text.includes(' ');
}

function isRange(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  const family = isIP(address);
  return family > 0 && /^(?:0|[1-9]\d*)$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Six, eight or twenty octets, in pairs of digits or in fours. */
function isHardwareAddress(text: string): boolean {
  const isPairs = /^[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1)*[0-9a-f]{2}$/i.test(text);
  const isFours = /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text);
  return (isPairs || isFours) && [6, 8, 20].includes(text.replace(/[:.-]/g, '').length / 2);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const parts = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time);
  if (!isDate(date) || parts === null) return false;
  return Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59;
}

/** As Go writes durations, or with units as words: `3 days`. */
function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true;
  // A number begins where no digit stands before, else long ones are read again from each of their digits.
  for (const [, word = ''] of text.matchAll(/(?<!\d)\d+\s*([A-Za-zµ]+)/g)) {
    const unit = word.toLowerCase();
    if (DURATION_UNITS.some((words) => words.includes(unit) || unit.startsWith(words.at(-1) as string))) return true;
  }
  return false;
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, i) => total + (i + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}
