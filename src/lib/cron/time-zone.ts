/** A time zone of the IANA database, as far as schedules need it. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;

  /** @throws RangeError for an unknown name */
  constructor(name: string) {
    const digits = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
    // Coordinated time needs no database.
    this.#format =
      name === 'UTC'
        ? undefined
        : new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', era: 'short', ...digits, ...time });
  }

  /** How far local clocks are ahead of UTC at this moment, which must be a whole second. */
  offsetMillis(atMillis: number): number {
    if (this.#format === undefined) return 0;
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(atMillis)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - atMillis;
  }

  /** The first moment in (from, to] at which local clocks have another offset than this; undefined if there is none. */
  nextChange(fromMillis: number, toMillis: number, offsetMillis: number): number | undefined {
    if (this.#format === undefined) return undefined;
    for (let low = fromMillis; low < toMillis; low += DAY_MILLIS) {
      const high = Math.min(low + DAY_MILLIS, toMillis);
      if (this.offsetMillis(high) !== offsetMillis) return this.#changeIn(low, high, offsetMillis);
    }
    return undefined;
  }

  #changeIn(lowMillis: number, highMillis: number, offsetMillis: number): number {
    let [low, high] = [lowMillis, highMillis];
    while (high - low > 1000) {
      const middle = low + Math.floor((high - low) / 2000) * 1000;
      if (this.offsetMillis(middle) === offsetMillis) low = middle;
      else high = middle;
    }
    return high;
  }
}

const DAY_MILLIS = 86_400_000;

export function isTimeZone(name: string): boolean {
  try {
    new TimeZone(name);
    return true;
  } catch {
    return false;
  }
}
