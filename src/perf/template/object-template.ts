import { parseYaml } from '../../config/decode/parse-yaml.ts';
import { toPlain } from '../../config/decode/value.ts';
import { removeNulls } from '../../manifests/without-nulls.ts';
import { PerfError } from '../config/perf-error.ts';
import { type Environment, type Part, render, renderExpression, renderParts } from './evaluate.ts';
import { type Members, withGoSpelling } from './go-spelling.ts';
import { DIGIT, fitsSkeleton, placeholder, type Skeleton, skeletonOf } from './object-skeleton.ts';
import { parseTemplate, type TemplateNode } from './parse-template.ts';
import { TemplateError } from './template-error.ts';

/** Makes the objects of one operation. */
export interface ObjectMaker {
  /** The object with this index, from 0. If the template does not use the index, it is always the same object. */
  at(index: number): Members;
}

/** How upstream reads the file: into the object's type, which ignores the case of names, or into untyped data. */
export type Reading = 'typed' | 'untyped';

/**
 * A file that describes an object: YAML, made by Go's text/template from `.Index`, `.Count` and parameters. A template
 * is used for thousands of objects, so everything that does not depend on the index is evaluated once, the YAML is
 * parsed once, and values that only change words are put into a skeleton.
 */
export class ObjectTemplate {
  readonly #file: string;
  readonly #nodes: readonly TemplateNode[];
  readonly #reading: Reading;

  /** @throws PerfError when the template cannot be read */
  constructor(text: string, file: string, reading: Reading) {
    this.#file = file;
    this.#reading = reading;
    this.#nodes = this.#located(() => parseTemplate(text));
  }

  /**
   * Creates the objects for these parameters. @throws PerfError, also later from `at`, when the template fails or does
   * not describe an object
   */
  maker(params: Environment, count: number): ObjectMaker {
    const environment = (index: number): Environment => new Map([...params, ['Count', count], ['Index', index]]);
    const parts = this.#parts(new WithoutIndex([...params, ['Count', count]]));
    if (parts === undefined) return { at: (index) => this.#object(this.#rendered(environment(index))) };
    const later = parts.filter((part) => typeof part !== 'string');
    if (later.length === 0) {
      const object = this.#object(parts.join(''));
      return { at: () => object };
    }
    const skeleton = this.#skeleton(parts);
    if (skeleton === undefined) return { at: (index) => this.#object(this.#rendered(environment(index))) };
    return {
      at: (index) => {
        const now = environment(index);
        const values = later.map((expression) => this.#located(() => renderExpression(expression, now)));
        return fitsSkeleton(values) ? (skeleton(values) as Members) : this.#object(this.#rendered(now));
      },
    };
  }

  /**
   * The output of the template with everything evaluated but the index; undefined if the index affects more than single
   * words.
   */
  #parts(environment: Environment): readonly Part[] | undefined {
    try {
      return this.#located(() => renderParts(this.#nodes, environment, (error) => error instanceof IndexWanted));
    } catch (error) {
      if (error instanceof IndexWanted) return undefined;
      throw error;
    }
  }

  #skeleton(parts: readonly Part[]): Skeleton | undefined {
    const textWith = (wordOf: (place: number) => string): string => {
      let place = 0;
      return parts.map((part) => (typeof part === 'string' ? part : wordOf(place++))).join('');
    };
    return skeletonOf(this.#object(textWith(placeholder)), this.#object(textWith(() => DIGIT)));
  }

  #rendered(environment: Environment): string {
    return this.#located(() => render(this.#nodes, environment));
  }

  #object(text: string): Members {
    const parsed = parseYaml(text);
    if ('error' in parsed) throw this.#error(parsed.error);
    const [duplicate] = parsed.duplicates;
    if (duplicate !== undefined) throw this.#error(duplicate.message);
    if (parsed.value.kind !== 'object') throw this.#error('does not describe an object');
    const object = toPlain(parsed.value) as Members;
    if (!removeNulls(object)) throw this.#error('is nested too deeply');
    return this.#reading === 'typed' ? withGoSpelling(object) : object;
  }

  #located<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof TemplateError) throw this.#error(error.message);
      throw error;
    }
  }

  #error(reason: string): PerfError {
    return new PerfError('InvalidPerfConfig', `${this.#file}: ${reason}`);
  }
}

/** The template has used the index while none was given. */
class IndexWanted extends Error {}

class WithoutIndex extends Map<string, unknown> {
  override get(name: string): unknown {
    if (name === 'Index') throw new IndexWanted();
    return super.get(name);
  }
}
