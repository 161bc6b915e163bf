import type { ExtenderResponse } from '../../../src/framework/extender-calls.ts';
import type { ExtenderTransport } from '../../../src/framework/extender-transport.ts';
import type { EventLoop } from '../../../src/lib/event-loop.ts';
import type { Prng } from '../../../src/lib/prng.ts';

/** A filter that lets every node pass, if it answers: late, malformed, or not at all while it is out of order. */
export class FaultyExtender implements ExtenderTransport {
  readonly #loop: EventLoop;
  readonly #prng: Prng;
  isOut = false;
  asked = 0;

  constructor(loop: EventLoop, prng: Prng) {
    this.#loop = loop;
    this.#prng = prng;
  }

  send(request: { readonly body: string }, done: (response: ExtenderResponse) => void) {
    this.asked++;
    const response = this.isOut ? this.#outage() : accepting(request.body);
    return this.#loop.after(this.#prng.below(300), () => done(response));
  }

  #outage(): ExtenderResponse {
    switch (this.#prng.below(4)) {
      case 0:
        return { error: 'context deadline exceeded' };
      case 1:
        return { status: 503, body: '' };
      case 2:
        return { status: 200, body: '{"nodenames": [' };
      default:
        return { status: 200, body: '{"error": "out of order"}' };
    }
  }
}

function accepting(body: string): ExtenderResponse {
  const asked = JSON.parse(body) as Record<string, unknown>;
  const names = Object.entries(asked).find(([key]) => key.toLowerCase() === 'nodenames')?.[1];
  return { status: 200, body: JSON.stringify({ nodenames: names }) };
}
