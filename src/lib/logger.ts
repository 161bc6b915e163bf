import type { Clock } from './clock.ts';

/** The levels, from what must be seen to what is only of use while a fault is looked for. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
/** How much a message matters. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** An `Error` stands for its message; a value that is undefined is left out. */
export type LogValue = string | number | boolean | bigint | null | undefined | readonly string[] | Error;
/** The values of a log message by their names. */
export type LogValues = Readonly<Record<string, LogValue>>;

/**
 * Takes what a scheduler says of its own work: a message that is always the same, and the values that are not, as
 * klog's `InfoS` does. Where a message costs something to put together, or is one of many, the level is asked first:
 *
 *     if (logger.isEnabled('debug')) logger.debug('decided', { pod: pod.key, node });
 *
 * A level that is off costs nothing then.
 */
export interface Logger {
  /** Whether anybody sees messages of this level. It does not change. */
  isEnabled(level: LogLevel): boolean;
  /** Something failed that was not expected. */
  error(message: string, values?: LogValues): void;
  /** Something is not as its owner will have meant it, or was made good. */
  warn(message: string, values?: LogValues): void;
  /** What happens a few times in the life of a scheduler, or has to be looked at by its owner. */
  info(message: string, values?: LogValues): void;
  /** Single decisions. */
  debug(message: string, values?: LogValues): void;
  /**
   * The same logger for one component, whose name its messages bear. `clock` counts milliseconds since the Unix epoch:
   * messages say their time, too, which is that of a simulation where that has a clock of its own.
   */
  named(component: string, clock?: Clock): Logger;
}

const nothing = (): void => {};

/** The default: nobody sees anything. */
export const NO_LOGGER: Logger = {
  isEnabled: () => false,
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  named: () => NO_LOGGER,
};

/** What is logged, and where to. */
export interface LineLoggerOptions {
  /** Messages of this level and of those before it are written. Default `info`. */
  readonly level?: LogLevel;
  /** Is given each line, without a line feed. */
  readonly write: (line: string) => void;
}

/**
 * Writes messages as lines, `LEVEL component message key=value`:
 *
 *     WARN pool a thread was lost restarted=1 workers=2
 *     INFO scheduler preemption time=2026-01-01T00:00:05.000Z pod=default/urgent node=node-a victims=["default/low"]
 */
export class LineLogger implements Logger {
  readonly #level: LogLevel;
  readonly #write: (line: string) => void;
  readonly #component: string;
  readonly #clock: Clock | undefined;

  constructor({ level = 'info', write }: LineLoggerOptions, component = 'berth', clock?: Clock) {
    this.#level = level;
    this.#write = write;
    this.#component = component;
    this.#clock = clock;
  }

  isEnabled(level: LogLevel): boolean {
    return LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(this.#level);
  }

  error(message: string, values?: LogValues): void {
    this.#log('error', message, values);
  }

  warn(message: string, values?: LogValues): void {
    this.#log('warn', message, values);
  }

  info(message: string, values?: LogValues): void {
    this.#log('info', message, values);
  }

  debug(message: string, values?: LogValues): void {
    this.#log('debug', message, values);
  }

  /** Without a clock of its own the component keeps this one. */
  named(component: string, clock = this.#clock): Logger {
    return new LineLogger({ level: this.#level, write: this.#write }, component, clock);
  }

  #log(level: LogLevel, message: string, values: LogValues = {}): void {
    if (!this.isEnabled(level)) return;
    const time = this.#clock && new Date(this.#clock.nowMillis()).toISOString();
    const pairs = Object.entries({ ...(time !== undefined && { time }), ...values });
    const texts = pairs.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${valueText(value)}`]));
    this.#write([level.toUpperCase(), this.#component, message, ...texts].join(' '));
  }
}

/** What could be read as more than one value, or as more than one line. */
const AMBIGUOUS = /[\s"=\p{Cc}]|^$/u;
/** JSON leaves these as they are, and some readers end a line there. */
const LINE_ENDS = /[\p{Cc}\u2028\u2029]/gu;

function valueText(value: Exclude<LogValue, undefined>): string {
  if (Array.isArray(value)) return quoted(value);
  const text = value instanceof Error ? value.message : String(value);
  return AMBIGUOUS.test(text) ? quoted(text) : text;
}

function quoted(value: unknown): string {
  const escaped = (end: string): string => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(LINE_ENDS, escaped);
}
