import type { PodInfo } from '../framework/pod-info.ts';
import type { PodTemplate } from './pod-templates.ts';

/** The pods of a batch whose attempts have begun, with their templates, in arrays side by side. */
export class ExpectedPods {
  readonly infos: PodInfo[];
  readonly #templates: PodTemplate[];
  #length = 0;

  constructor(capacity: number) {
    this.infos = new Array(capacity);
    this.#templates = new Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  add(info: PodInfo, template: PodTemplate): void {
    this.infos[this.#length] = info;
    this.#templates[this.#length] = template;
    this.#length++;
  }

  info(index: number): PodInfo {
    return this.infos[index] as PodInfo;
  }

  template(index: number): PodTemplate {
    return this.#templates[index] as PodTemplate;
  }
}
