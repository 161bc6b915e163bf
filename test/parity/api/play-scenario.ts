import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { type Difference, differences } from '../differences.ts';
import type { ApiCase, ApiStep, RecordedRequest, RecordedResponse, Until } from './api-case.ts';
import type { Answer, Client, OpenWatch } from './client.ts';
import { Normaliser } from './normalise.ts';

/** How long a recorded event may take, and how long surplus ones are waited for. */
const EVENTS_MILLIS = 3000;
const SURPLUS_MILLIS = 25;
const WAIT_MILLIS = 15_000;
const POLL_MILLIS = 20;

const LOOP = new RealEventLoop((error) => {
  throw error;
});

/** Plays a conversation, up to the first answer that is not as recorded. */
export async function playScenario(scenario: ApiCase, client: Client, host: string): Promise<Difference[]> {
  const normaliser = new Normaliser({
    keepsManagedFields: scenario.feature === 'apply',
    host,
    nowMillis: LOOP.nowMillis(),
  });
  const watches = new Map<string, OpenWatch>();
  try {
    for (const [i, step] of scenario.steps.entries()) {
      const found = await new StepPlayer(client, normaliser, watches).play(step);
      if (found.length > 0) return found.map((one) => ({ ...one, field: `steps[${i}] ${one.field}` }));
    }
    return [];
  } finally {
    for (const watch of watches.values()) watch.close();
  }
}

class StepPlayer {
  readonly #client: Client;
  readonly #normaliser: Normaliser;
  readonly #watches: Map<string, OpenWatch>;

  constructor(client: Client, normaliser: Normaliser, watches: Map<string, OpenWatch>) {
    this.#client = client;
    this.#normaliser = normaliser;
    this.#watches = watches;
  }

  async play(step: ApiStep): Promise<Difference[]> {
    if ('pause' in step) return [];
    if ('close' in step) return this.#close(step);
    if ('watch' in step) return this.#open(step);
    if ('wait' in step) return this.#wait(step.wait, step.until, step.response);
    return this.#compare(step.request, step.response, await this.#send(step.request));
  }

  #send(recorded: RecordedRequest): Promise<Answer> {
    const { body, bodyText } = recorded;
    return this.#client.send({
      ...recorded,
      path: this.#path(recorded.path),
      ...(body === undefined ? {} : { body: this.#normaliser.filledIn(body) }),
      ...(bodyText === undefined ? {} : { bodyText: String(this.#normaliser.filledIn(bodyText)) }),
    });
  }

  #path(path: string): string {
    return String(this.#normaliser.filledIn(path, encodeURIComponent));
  }

  #compare(sent: RecordedRequest, expected: RecordedResponse, answer: Answer): Difference[] {
    this.#noteGeneratedNames(sent, answer.text);
    const got = normalisedAnswer(answer, this.#normaliser);
    return differences(`${sent.method} ${sent.path}`, expected, got);
  }

  /** Notes names that the server has generated and shows only in messages. */
  #noteGeneratedNames({ body }: RecordedRequest, text: string): void {
    const prefix = (body as { metadata?: { generateName?: unknown } } | null | undefined)?.metadata?.generateName;
    if (typeof prefix !== 'string' || prefix === '') return;
    const base = prefix.slice(0, 58).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = new RegExp(`${base}[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])`).exec(text);
    if (found !== null) this.#normaliser.generatedName(found[0]);
  }

  async #wait(sent: RecordedRequest, until: Until, expected: RecordedResponse): Promise<Difference[]> {
    const endMillis = LOOP.nowMillis() + WAIT_MILLIS;
    let answer = await this.#send(sent);
    while (!isReached(answer, until) && LOOP.nowMillis() < endMillis) {
      await sleep(POLL_MILLIS);
      answer = await this.#send(sent);
    }
    return this.#compare(sent, expected, answer);
  }

  async #open({ watch, open, status }: Extract<ApiStep, { open: string }>): Promise<Difference[]> {
    const opened = await this.#client.watch(this.#path(watch.path), watch.accept);
    this.#watches.set(open, opened);
    return differences(`watch ${watch.path} status`, status, opened.status);
  }

  async #close({ close, events, ended = false }: Extract<ApiStep, { close: string }>): Promise<Difference[]> {
    const watch = this.#watches.get(close) as OpenWatch;
    const seen = (): unknown[] => watch.events.filter((event) => !isPlainBookmark(event));
    const endMillis = LOOP.nowMillis() + EVENTS_MILLIS;
    const isDone = (): boolean => (ended ? watch.hasEnded : seen().length >= events.length);
    while (!isDone() && LOOP.nowMillis() < endMillis) await sleep(POLL_MILLIS / 4);
    if (!ended) await sleep(SURPLUS_MILLIS);
    watch.close();
    const got = this.#normaliser.normalised(seen()) as unknown[];
    const expected = events.filter((event) => !isPlainBookmark(event));
    const found =
      ended === watch.hasEnded ? [] : [{ field: `close ${close} ended`, expected: ended, got: watch.hasEnded }];
    return [...found, ...differences(`close ${close}`, expected, got)];
  }
}

/** A bookmark that comes when it comes: one without the end of the initial events. */
function isPlainBookmark(event: unknown): boolean {
  const { type, object } = event as { type?: string; object?: { metadata?: { annotations?: object } } };
  return type === 'BOOKMARK' && object?.metadata?.annotations === undefined;
}

function isReached({ status, text }: Answer, until: Until): boolean {
  if (status !== until.status) return false;
  if (until.condition === undefined) return true;
  const { conditions = [] } =
    (JSON.parse(text) as { status?: { conditions?: Record<string, unknown>[] } }).status ?? {};
  const wanted = Object.entries(until.condition);
  return conditions.some((condition) => wanted.every(([key, value]) => condition[key] === value));
}

function normalisedAnswer({ status, contentType, warning, text }: Answer, normaliser: Normaliser): RecordedResponse {
  const parsed = contentType?.includes('json') ? parsedOrUndefined(text) : undefined;
  const body = parsed === undefined ? { bodyText: normaliser.text(text) } : { body: normaliser.normalised(parsed) };
  return {
    status,
    ...(contentType === undefined ? {} : { contentType }),
    ...body,
    ...(warning === undefined ? {} : { warning: warning.map((line) => normaliser.text(line)) }),
  };
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sleep(millis: number): Promise<void> {
  return new Promise((resolve) => LOOP.after(millis, () => resolve()));
}
