/** Images without a tag, or with `latest`, are always pulled; a digest never changes. */
export function pullPolicyOf(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (name.includes('@')) return 'IfNotPresent';
  const colon = name.indexOf(':');
  return colon < 0 || name.slice(colon + 1) === 'latest' ? 'Always' : 'IfNotPresent';
}
