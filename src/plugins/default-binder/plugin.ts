import type { CycleState } from '../../framework/cycle-state.ts';
import { eventually } from '../../framework/eventually.ts';
import type { Handle } from '../../framework/handle.ts';
import type { BindPlugin, Eventually } from '../../framework/plugin.ts';
import { DEFAULT_BINDER } from '../../framework/plugin-names.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { textOf } from '../../framework/runtime/plugin-answer.ts';
import { errorStatus, type Status } from '../../framework/status.ts';
import { whenAnswered } from '../../lib/maybe-promise.ts';

/** Binds pods by the binding call of the API. */
export class DefaultBinder implements BindPlugin {
  readonly name = DEFAULT_BINDER;
  readonly #handle: Handle;

  /** Whether the plugin is a default binder, and not something around one that has to see its calls. */
  static isBare(plugin: object): boolean {
    return #handle in plugin;
  }

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  bind(_state: CycleState, { pod }: PodInfo, nodeName: string): Eventually<Status | null> {
    return eventually((done) =>
      whenAnswered(() => this.#handle.api.bindPod(pod, nodeName), {
        done: () => done(null),
        failed: (error) => done(errorStatus(this.name, textOf(error))),
      }),
    );
  }
}
