import type { PodSpec } from '../../api/pod.ts';

/** Different specs that are remembered; when there are more, all are forgotten. */
const MOST_SPECS = 4096;

/**
 * Finds what is known of a spec that is another object with the same contents: pods that were read from JSON each have
 * their own. A look at a few fields picks the candidates, a comparison of everything decides.
 */
export class SpecShapes<T> {
  readonly #byLook = new Map<string, { readonly spec: PodSpec; readonly value: T }[]>();
  #count = 0;

  get(spec: PodSpec): T | undefined {
    const candidates = this.#byLook.get(lookOf(spec));
    if (candidates === undefined) return undefined;
    for (const candidate of candidates) if (isSame(candidate.spec, spec)) return candidate.value;
    return undefined;
  }

  set(spec: PodSpec, value: T): void {
    if (this.#count === MOST_SPECS) {
      this.#byLook.clear();
      this.#count = 0;
    }
    const look = lookOf(spec);
    const candidates = this.#byLook.get(look);
    if (candidates === undefined) this.#byLook.set(look, [{ spec, value }]);
    else candidates.push({ spec, value });
    this.#count++;
  }
}

/** Specs with different looks differ. */
function lookOf({ containers, nodeSelector, affinity, tolerations, priority, volumes }: PodSpec): string {
  const requests = containers?.[0]?.resources?.requests;
  const traits =
    (nodeSelector ? 1 : 0) + (affinity ? 2 : 0) + (tolerations?.length ?? 0) * 4 + (containers?.length ?? 0) * 64;
  const claim = volumes?.[0]?.persistentVolumeClaim?.claimName ?? '';
  return `${requests?.['cpu']} ${requests?.['memory']} ${traits} ${priority} ${claim}`;
}

/** Whether two values of JSON (and dates) are the same, keys in any order; a key without a value is one less. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false;
    return true;
  }
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  }
  if (Array.isArray(b)) return false;
  return hasAll(a as Fields, b as Fields) && hasAll(b as Fields, a as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function hasAll(a: Fields, b: Fields): boolean {
  for (const key in a) if (a[key] !== undefined && !isSame(a[key], b[key])) return false;
  return true;
}
