import type { ExtenderRequest, ExtenderResponse } from '../../../src/framework/extender-calls.ts';
import type { ExtenderTransport } from '../../../src/framework/extender-transport.ts';

/** A transport whose answers the test delivers. */
export class HeldTransport implements ExtenderTransport {
  readonly open: { readonly request: ExtenderRequest; readonly done: (response: ExtenderResponse) => void }[] = [];

  send(request: ExtenderRequest, done: (response: ExtenderResponse) => void) {
    const sent = { request, done };
    this.open.push(sent);
    return {
      cancel: () => {
        if (this.open.includes(sent)) this.open.splice(this.open.indexOf(sent), 1);
      },
    };
  }

  /** The oldest request, once it is there. */
  async next() {
    while (this.open.length === 0) await Promise.resolve();
    const [first] = this.open.splice(0, 1);
    if (first === undefined) throw new Error('nothing was sent');
    return { ...first, answer: (body: unknown) => first.done({ status: 200, body: JSON.stringify(body) }) };
  }
}
