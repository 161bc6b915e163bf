import type { Checked } from '../check/checker.ts';
import { type Call, type Comprehension, type Expression, isBinding } from '../syntax/expression.ts';
import { Uint } from '../values/scalars.ts';
import { CelError, EntryMap, isList, NO_SUCH_OVERLOAD, Optional, type Outcome, type Value } from '../values/value.ts';
import { Attribute } from './attribute.ts';
import { callStep } from './calls.ts';
import { bindingStep, foldStep } from './comprehension.ts';
import { Frame, type Step } from './frame.ts';

const LIST_COST = 10;
const MAP_COST = 30;
const CONVERSIONS = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'uint']);

/** A constant part of an expression that can only fail. */
export class PlanError extends Error {}

/** Turns a checked expression into steps. @throws PlanError */
export function plan(checked: Checked): Step {
  return new Planner(checked).plan(checked.expression);
}

class Planner {
  readonly #checked: Checked;
  /** The locals in scope, innermost first, with their slots. */
  #scope: readonly (readonly [string, number])[] = [];

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  plan(expression: Expression): Step {
    const type = this.#checked.typeNames.get(expression);
    if (type !== undefined) return constantStep(type);
    switch (expression.kind) {
      case 'literal':
        return constantStep(expression.value);
      case 'identifier':
        return new Attribute(this.#variable(expression.name), 1);
      case 'selection': {
        const operand = this.#attribute(expression.operand);
        const { field } = expression;
        if (expression.isTest) return { run: (frame) => operand.test(frame, field) };
        return operand.qualified(constantStep(field), false);
      }
      case 'call':
        return this.#call(expression);
      case 'list':
        return listStep(
          expression.elements.map((element) => this.plan(element)),
          expression.optional,
        );
      case 'map': {
        const entries = expression.entries.map(({ key, value, isOptional }) => ({
          key: this.plan(key),
          value: this.plan(value),
          isOptional,
        }));
        return mapStep(entries);
      }
      case 'struct':
        throw new PlanError(`message types are not supported: ${expression.name}`);
      case 'comprehension':
        return this.#comprehension(expression);
    }
  }

  #variable(written: string): Step {
    const name = written.startsWith('.') ? written.slice(1) : written;
    const local = this.#scope.find(([candidate]) => candidate === written);
    if (local !== undefined) return { run: (frame) => frame.local(local[1]) };
    return {
      run: ({ variables }) => {
        const value = variables.get(name);
        return value === undefined ? new CelError(`no such attribute(s): ${name}`) : value;
      },
    };
  }

  /** The expression as something that can be qualified. */
  #attribute(expression: Expression): Attribute {
    const step = this.plan(expression);
    return step instanceof Attribute ? step : new Attribute(step, 1);
  }

  #call(call: Call): Step {
    const [first, second, third] = call.args as [Expression, Expression, Expression];
    switch (call.function) {
      case '_&&_':
        return logicalStep(this.plan(first), this.plan(second), false);
      case '_||_':
        return logicalStep(this.plan(first), this.plan(second), true);
      case '_?_:_':
        return new Attribute(conditionalStep(this.plan(first), this.plan(second), this.plan(third)), 0);
      case '_[_]':
        return this.#attribute(first).qualified(this.plan(second), false);
      case '_[?_]':
      case '_?._':
        return this.#attribute(first).qualified(this.plan(second), true);
      case '@not_strictly_false':
        return notStrictlyFalseStep(this.plan(first));
      default:
        return this.#functionCall(call);
    }
  }

  #functionCall(call: Call): Step {
    const resolved = this.#checked.calls.get(call);
    if (resolved === undefined) throw new PlanError(`no such overload: ${call.function}`);
    const operands = resolved.isMember ? [call.target as Expression, ...call.args] : call.args;
    const args = operands.map((operand) => this.plan(operand));
    const [first, second] = args as [Step, Step];
    if (resolved.isMember && (call.function === 'or' || call.function === 'orValue')) {
      return alternativeStep(first, second, call.function === 'orValue');
    }
    const overload = resolved.overloads.length === 1 ? resolved.overloads[0]?.id : undefined;
    if (overload === 'in_list') {
      const membership = membershipStep(first, second);
      if (membership !== null) return membership;
    }
    const step = callStep(resolved, args);
    const isFolded = CONVERSIONS.has(resolved.declaration.name) && args.length === 1 && first.constant !== undefined;
    return isFolded ? foldedStep(step) : step;
  }

  #comprehension(comprehension: Comprehension): Step {
    const { range, initial, accumulator, variable, secondVariable } = comprehension;
    const [rangeStep, initialStep] = [this.plan(range), this.plan(initial)];
    const outer = this.#scope;
    const accumulatorSlot = outer.length;
    this.#scope = [[accumulator, accumulatorSlot], ...outer];
    if (isBinding(comprehension)) {
      const result = this.plan(comprehension.result);
      this.#scope = outer;
      return bindingStep(initialStep, result, accumulatorSlot);
    }
    const inner = this.#scope;
    const slot = inner.length;
    this.#scope = [[variable, slot], ...inner];
    const secondSlot = secondVariable === null ? null : slot + 1;
    if (secondVariable !== null) this.#scope = [[secondVariable, slot + 1], ...this.#scope];
    const condition = this.plan(comprehension.condition);
    const step = this.plan(comprehension.step);
    this.#scope = inner;
    const result = this.plan(comprehension.result);
    this.#scope = outer;
    const steps = { range: rangeStep, initial: initialStep, condition, step, result };
    return foldStep({ ...steps, accumulatorSlot, slot, secondSlot });
  }
}

function constantStep(value: Value): Step {
  return { run: () => value, constant: value };
}

function foldedStep(step: Step): Step {
  // The call is made once, so no evaluation pays for it.
  const value = step.run(new Frame(new Map(), Number.POSITIVE_INFINITY));
  if (value instanceof CelError) throw new PlanError(value.message);
  return constantStep(value);
}

/** `&&` and `||`: one side that decides is enough, even if the other one fails. */
function logicalStep(left: Step, right: Step, deciding: boolean): Step {
  return {
    run(frame) {
      const first = left.run(frame);
      if (first === deciding) return deciding;
      const second = right.run(frame);
      if (second === deciding) return deciding;
      if (first instanceof CelError) return first;
      if (second instanceof CelError) return second;
      return typeof first === 'boolean' && typeof second === 'boolean' ? !deciding : NO_SUCH_OVERLOAD;
    },
  };
}

/** Branches that are attributes cost only what their qualifiers cost. */
function conditionalStep(condition: Step, yes: Step, no: Step): Step {
  const resolve = (step: Step, frame: Frame): Outcome =>
    step instanceof Attribute ? step.resolve(frame) : step.run(frame);
  return {
    run(frame) {
      const holds = condition.run(frame);
      if (holds instanceof CelError) return holds;
      if (typeof holds !== 'boolean') return NO_SUCH_OVERLOAD;
      return resolve(holds ? yes : no, frame);
    },
  };
}

function notStrictlyFalseStep(operand: Step): Step {
  return {
    run(frame) {
      const value = operand.run(frame);
      frame.charge(1);
      return value !== false;
    },
  };
}

/** `or` and `orValue`, whose alternative is only evaluated if it is needed; they cost nothing themselves. */
function alternativeStep(optional: Step, alternative: Step, isValue: boolean): Step {
  return {
    run(frame) {
      const value = optional.run(frame);
      if (value instanceof CelError) return value;
      if (!(value instanceof Optional)) return NO_SUCH_OVERLOAD;
      if (value.value === undefined) return alternative.run(frame);
      return isValue ? value.value : value;
    },
  };
}

/** Membership in a list of constants, which costs nothing; null if the list holds something else. */
function membershipStep(operand: Step, list: Step): Step | null {
  const elements = list.constant;
  if (elements === undefined || !isList(elements)) return null;
  if (elements.length === 0) return constantStep(false);
  const isPlain = (value: Value): boolean => value === null || typeof value !== 'object' || value instanceof Uint;
  if (!elements.every(isPlain)) return null;
  const known = new EntryMap(elements.map((element) => [element, true]));
  const hasNull = elements.includes(null);
  return {
    run(frame) {
      const value = operand.run(frame);
      if (value instanceof CelError) return value;
      return value === null ? hasNull : known.has(value);
    },
  };
}

function listStep(elements: readonly Step[], optional: ReadonlySet<number>): Step {
  if (optional.size === 0 && elements.every(({ constant }) => constant !== undefined)) {
    return constantStep(elements.map(({ constant }) => constant as Value));
  }
  return {
    run(frame) {
      const values = gather(frame, elements, optional);
      frame.charge(LIST_COST);
      return values;
    },
  };
}

function gather(frame: Frame, elements: readonly Step[], optional: ReadonlySet<number>): Outcome {
  const values: Value[] = [];
  for (const [i, element] of elements.entries()) {
    const value = element.run(frame);
    if (value instanceof CelError) return value;
    if (!optional.has(i)) values.push(value);
    else if (!(value instanceof Optional)) return NO_SUCH_OVERLOAD;
    else if (value.value !== undefined) values.push(value.value);
  }
  return values;
}

interface EntrySteps {
  readonly key: Step;
  readonly value: Step;
  readonly isOptional: boolean;
}

function mapStep(entries: readonly EntrySteps[]): Step {
  const isConstant = entries.every(
    ({ key, value, isOptional }) => !isOptional && key.constant !== undefined && value.constant !== undefined,
  );
  if (isConstant) {
    return constantStep(
      new EntryMap(entries.map(({ key, value }) => [key.constant as Value, value.constant as Value])),
    );
  }
  return {
    run(frame) {
      const map = gatherEntries(frame, entries);
      frame.charge(MAP_COST);
      return map;
    },
  };
}

function gatherEntries(frame: Frame, entries: readonly EntrySteps[]): Outcome {
  const pairs: (readonly [Value, Value])[] = [];
  for (const entry of entries) {
    const key = entry.key.run(frame);
    if (key instanceof CelError) return key;
    const value = entry.value.run(frame);
    if (value instanceof CelError) return value;
    if (!entry.isOptional) pairs.push([key, value]);
    else if (!(value instanceof Optional)) return NO_SUCH_OVERLOAD;
    else if (value.value !== undefined) pairs.push([key, value.value]);
  }
  return new EntryMap(pairs);
}
