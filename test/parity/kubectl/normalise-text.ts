const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const CLUSTER_IP = /\b10\.0\.\d{1,3}\.\d{1,3}\b( *)/g;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(?:Z| ?[+-]\d\d:?\d\d)/g;
const RFC_1123 = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g;
const AGE = /(?<=^|[ \t(])((?:\d+y)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?)( *)(?=[ \t)]|$)/gm;
const VERSION = /(resourceVersion"?\\?"?: ?\\?")(\d+)/g;
const DAY_MILLIS = 86_400_000;

interface Surroundings {
  readonly directory: string;
  readonly port: number;
  readonly nowMillis: number;
}

/** Replaces what differs from run to run in kubectl's output, as the recordings' README describes. */
export class TextNormaliser {
  readonly #values = new Map<string, string>();
  readonly #placeholders = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Puts the values in place of the placeholders in a command. */
  filledIn(command: string): string {
    const { port } = this.#surroundings;
    return command
      .replaceAll('<server>', `http://127.0.0.1:${port}`)
      .replace(/<(?:uid|rv|ip|nodeport|gen):\d+>/g, (placeholder) => this.#values.get(placeholder) ?? placeholder);
  }

  text(text: string): string {
    const { directory, port, nowMillis } = this.#surroundings;
    const time = (whole: string, fraction: string | undefined): string => {
      const millis = Date.parse(whole.replace(/(\d) ([+-])/, '$1$2').replace(/(\.\d{3})\d+/, '$1'));
      if (Math.abs(millis - nowMillis) > DAY_MILLIS) return whole;
      return fraction !== undefined && whole.includes('T') ? '<microtime>' : '<time>';
    };
    return text
      .replaceAll(directory, '<dir>')
      .replaceAll(`http://127.0.0.1:${port}`, '<server>')
      .replaceAll(`127.0.0.1:${port}`, '<host>')
      .replace(/^([EWI])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /gm, '$1<klog> ')
      .replace(/[^\s"]*kubectl-edit-\d+/g, '<editfile>')
      .replace(/\S*\/LIVE-\d+/g, '<LIVE>')
      .replace(/\S*\/MERGED-\d+/g, '<MERGED>')
      .replace(RFC_1123, (whole) => (Math.abs(Date.parse(whole) - nowMillis) > DAY_MILLIS ? whole : '<rfc1123>'))
      .replace(UUID, (uid) => this.#placeholder('uid', uid))
      .replace(VERSION, (_, before, version) => before + this.#placeholder('rv', version))
      .replace(CLUSTER_IP, (whole, blanks: string) => {
        return this.#placeholder('ip', whole.trimEnd()) + (blanks.length > 1 ? '   ' : blanks);
      })
      .replace(/CLUSTER-IP +/g, 'CLUSTER-IP   ')
      .replace(TIME, time)
      .replace(/:(3[0-2]\d{3})\/TCP/g, (_, nodePort) => `:${this.#placeholder('nodeport', nodePort)}/TCP`)
      .replace(
        /(nodePort"?: )(3[0-2]\d{3})\b/g,
        (_, before, nodePort) => before + this.#placeholder('nodeport', nodePort),
      )
      .replace(AGE, (whole, age: string, blanks: string) => {
        // Ages of two minutes and more are no longer told in seconds alone.
        if (age === '' || /^(?:1[2-9]\d|[2-9]\d\d|\d{4,})s$/.test(age)) return whole;
        return blanks === '' ? '<age>' : '<age>   ';
      });
  }

  #placeholder(kind: string, value: string): string {
    const known = this.#placeholders.get(`${kind} ${value}`);
    if (known !== undefined) return known;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const placeholder = `<${kind}:${number}>`;
    this.#placeholders.set(`${kind} ${value}`, placeholder);
    this.#values.set(placeholder, value);
    return placeholder;
  }
}
