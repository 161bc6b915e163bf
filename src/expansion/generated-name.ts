/** The letters and digits of names that the API generates. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const LENGTH = 5;

/**
 * Names of the form that the API generates, always the same for the same pod: the ends follow from the prefix and the
 * number, and a name that is taken is passed over.
 */
export class GeneratedNames {
  readonly #taken: Set<string>;
  /** The next number of each prefix. */
  readonly #numbers = new Map<string, number>();

  /** `taken`: namespaces and names, such as `default/web-0`. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  next(namespace: string, prefix: string): string {
    const place = `${namespace}/${prefix}`;
    for (let number = this.#numbers.get(place) ?? 0; ; number++) {
      const end = endOf(`${place}/${number}`);
      if (this.#taken.has(place + end)) continue;
      this.#taken.add(place + end);
      this.#numbers.set(place, number + 1);
      return prefix + end;
    }
  }
}

/** FNV-1a, in letters and digits of which no words can be made. */
function endOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  let end = '';
  for (let i = 0, rest = hash >>> 0; i < LENGTH; i++) {
    end += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  }
  return end;
}
