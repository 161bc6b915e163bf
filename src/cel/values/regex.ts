import type { RE2JS } from 're2js';
import { latePackage } from '../../lib/host-modules.ts';

const MOST_PATTERNS = 1024;
const patterns = new Map<string, RE2JS>();

/**
 * The compiled form of a regular expression of RE2; recent ones are kept. The library is loaded by the first one, which
 * runtimes that load no packages, such as browsers, refuse.
 */
export function compiledRegex(pattern: string): RE2JS {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const compiled = latePackage('re2js').RE2JS.compile(pattern);
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(pattern, compiled);
  return compiled;
}

/** What is wrong with a regular expression, or null. */
export function regexError(pattern: string): string | null {
  try {
    compiledRegex(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
