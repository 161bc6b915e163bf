const READ_REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a directory, not a file'],
  ['ENOTDIR', 'no such file'],
]);
const WRITE_REASONS: ReadonlyMap<string, string> = new Map([
  ...READ_REASONS,
  ['EEXIST', 'is a file, not a directory'],
  ['ENOENT', 'no such folder'],
  ['ENOTDIR', 'no such folder'],
  ['ENOSPC', 'no space is left'],
]);

/** The reason of a system error in words. */
export function fileErrorReason(error: unknown, done: 'read' | 'written'): string {
  const code = errorCode(error);
  const reasons = done === 'read' ? READ_REASONS : WRITE_REASONS;
  return reasons.get(code) ?? `cannot be ${done} (${code || String(error)})`;
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
