import type { ScriptCase, ScriptEvent } from '../parity/script/script-case.ts';

/** How often a script is played to make it smaller. */
const MOST_PLAYS = 1500;

type Differs = (script: ScriptCase) => boolean;

/** A smaller script that still differs: events go, then options, then parts of the objects that are left. */
export function shrinkScript(script: ScriptCase, differs: Differs): ScriptCase {
  const shrinker = new Shrinker(script, differs);
  shrinker.dropEvents();
  shrinker.dropOptions();
  shrinker.dropParts();
  shrinker.dropEvents();
  return shrinker.script;
}

class Shrinker {
  script: ScriptCase;
  readonly #differs: Differs;
  #plays = 0;

  constructor(script: ScriptCase, differs: Differs) {
    this.script = script;
    this.#differs = differs;
  }

  /** Halves first, then ever smaller pieces, from the end: what comes last matters least, but for the very last. */
  dropEvents(): void {
    for (let size = Math.ceil(this.script.events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = this.script.events.length - size; from > -size; from -= size) {
        const { events } = this.script;
        const [first, end] = [Math.max(0, from), Math.max(0, from) + size];
        this.#tryInstead({ ...this.script, events: [...events.slice(0, first), ...events.slice(end)] });
      }
    }
  }

  dropOptions(): void {
    this.#tryInstead({ ...this.script, postFilter: false });
    this.#tryInstead({ ...this.script, percentageOfNodesToScore: 100 });
  }

  /** A member goes from all objects that have it; then from single ones. */
  dropParts(): void {
    for (const path of pathsOf(this.script.events)) {
      this.#tryInstead({ ...this.script, events: withoutPath(this.script.events, path) });
    }
    for (let i = 0; i < this.script.events.length; i++) {
      for (const path of pathsOf(this.script.events.slice(i, i + 1))) {
        const { events } = this.script;
        this.#tryInstead({
          ...this.script,
          events: events.with(i, withoutPath([events[i] as ScriptEvent], path)[0] as ScriptEvent),
        });
      }
    }
  }

  #tryInstead(smaller: ScriptCase): void {
    if (this.#plays >= MOST_PLAYS) return;
    this.#plays++;
    if (this.#differs(smaller)) this.script = smaller;
  }
}

type Path = readonly string[];

/** Below `o`; parts of parts that went are not there any more when their turn comes. */
function pathsOf(events: readonly ScriptEvent[]): Path[] {
  const paths = new Map<string, Path>();
  const walk = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const below = [...path, key];
      if (!NEEDED.has(below.join(' '))) paths.set(below.join(' '), below);
      walk(part, below);
    }
  };
  for (const event of events) if ('o' in event) walk(event.o, []);
  return [...paths.values()].sort((a, b) => a.length - b.length);
}

/** The fields that shrinking keeps: an object without them is invalid. */
const NEEDED: ReadonlySet<string> = new Set([
  'metadata',
  'metadata name',
  'metadata namespace',
  'spec',
  'spec nodeName',
  'spec schedulerName',
  'spec containers',
]);

/** Pods that share their spec go on doing so. */
function withoutPath(events: readonly ScriptEvent[], path: Path): ScriptEvent[] {
  const copies = new Map<object, unknown>();
  const without = (value: unknown, [key = '', ...rest]: Path): unknown => {
    if (typeof value !== 'object' || value === null || !(key in value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const part = (value as Record<string, unknown>)[key];
    const copy: unknown = Array.isArray(value)
      ? rest.length === 0
        ? value.filter((_, i) => String(i) !== key)
        : value.with(Number(key), without(part, rest))
      : Object.fromEntries(
          Object.entries(value).flatMap(([name, member]) =>
            name !== key ? [[name, member]] : rest.length === 0 ? [] : [[name, without(member, rest)]],
          ),
        );
    copies.set(value, copy);
    return copy;
  };
  return events.map((event) => ('o' in event ? ({ ...event, o: without(event.o, path) } as ScriptEvent) : event));
}
