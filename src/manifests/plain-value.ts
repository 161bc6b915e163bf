const INTEGER = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/;
const WORD = /^(?:~|[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)$/;

/** The first characters of all words and numbers. */
const MAY_RESOLVE = new Uint8Array(128);
for (const char of '~nNtTfF0123456789+-.') MAY_RESOLVE[char.charCodeAt(0)] = 1;

const LONGEST_WORD = 5;

/** The value of a plain scalar by YAML's core schema: null, a boolean, a number, a bigint or the text itself. */
export function plainValue(text: string): unknown {
  const first = text.charCodeAt(0);
  if (first >= 128 || MAY_RESOLVE[first] === 0) return text;
  if (first > 0x39) return text.length <= LONGEST_WORD && WORD.test(text) ? wordValue(text) : text;
  if (INTEGER.test(text)) return integerOf(text);
  if (FLOAT.test(text)) return Number.parseFloat(text);
  if (OCTAL.test(text)) return Number.parseInt(text.slice(2), 8);
  if (HEXADECIMAL.test(text)) return Number.parseInt(text.slice(2), 16);
  if (!NOT_FINITE.test(text)) return text;
  if (text.slice(-3).toLowerCase() === 'nan') return Number.NaN;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** An integer that a double does not hold is a bigint. */
function integerOf(text: string): number | bigint {
  const value = Number.parseInt(text, 10);
  return Number.isSafeInteger(value) ? value : BigInt(text.startsWith('+') ? text.slice(1) : text);
}

function wordValue(text: string): boolean | null {
  const first = text.charAt(0).toLowerCase();
  return first === 't' ? true : first === 'f' ? false : null;
}
