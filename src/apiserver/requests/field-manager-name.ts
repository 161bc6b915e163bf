const BYTES_MAX = 128;

/** The name of who writes: the one in the query, or the beginning of the User-Agent up to a slash. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager !== '') return fieldManager;
  const agent = (userAgent ?? '').split('/')[0] as string;
  const printable = agent.replace(/[^\x20-\x7e]/g, '');
  return printable === '' ? 'unknown' : printable.slice(0, BYTES_MAX);
}
