/** `v1`, `v2beta1`, `v1alpha3`. */
const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES = ['alpha', 'beta', ''];

/**
 * Compares versions of one group, the preferred first: finished ones before those in beta and alpha, later ones before
 * earlier ones, other names last. Upstream: CompareKubeAwareVersionStrings in apimachinery/pkg/version.
 */
export function comparePreference(a: string, b: string): number {
  const [first, second] = [VERSION.exec(a), VERSION.exec(b)];
  if (first === null || second === null) {
    if (first === second) return a < b ? -1 : a > b ? 1 : 0;
    return first === null ? 1 : -1;
  }
  return (
    STAGES.indexOf(second[2] ?? '') - STAGES.indexOf(first[2] ?? '') ||
    Number(second[1]) - Number(first[1]) ||
    Number(second[3] ?? 0) - Number(first[3] ?? 0)
  );
}
