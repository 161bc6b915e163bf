/** What a reader has chosen in one part of the page, and other parts follow. */
export class Choice<T> {
  readonly #listeners: ((value: T) => void)[] = [];
  #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener(value);
  }

  /** The listener is called for each later value. */
  onSet(listener: (value: T) => void): void {
    this.#listeners.push(listener);
  }
}

/** The verdicts about one pod, by node. */
export interface NodeMarks {
  readonly title: string;
  readonly names: readonly string[];
  /** An index in `names` for each node, or -1. */
  readonly ofNode: readonly number[];
}

/** A part of an axis; null: all of it. */
export type Zoom = readonly [from: number, to: number] | null;

/** The choices that all parts of a page share. */
export class PageState {
  /** A moment on the axis of time. */
  readonly moment = new Choice<number | null>(null);
  readonly nodeMarks = new Choice<NodeMarks | null>(null);
  readonly #zooms = new Map<string, Choice<Zoom>>();

  /** The part of the axis that plots with this key show. */
  zoom(key: string): Choice<Zoom> {
    const known = this.#zooms.get(key);
    if (known !== undefined) return known;
    const made = new Choice<Zoom>(null);
    this.#zooms.set(key, made);
    return made;
  }
}
