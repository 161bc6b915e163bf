import { type Expression, ExpressionReader } from './expression.ts';
import { type Piece, scan } from './scan.ts';
import { TemplateError } from './template-error.ts';

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: Expression }
  /** `{{ $name := value }}`; `isNew` is false for `=`. */
  | { readonly kind: 'assign'; readonly variable: string; readonly value: Expression; readonly isNew: boolean }
  | Block;

/** `if`, `with` or `range`, each with its `else` part; an `else if` is a block in the `else` part. */
export interface Block {
  readonly kind: 'if' | 'with' | 'range';
  readonly value: Expression;
  /** For `range`: `$item`, or `$index, $item`. For the others: the variable that is set, if any. */
  readonly variables: readonly string[];
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

const BLOCK = /^(if|with|range)\b\s*/;
const ELSE = /^else\b\s*/;
const NOT_KNOWN = /^(define|template|block|break|continue)\b/;

/** Parses the subset of Go's text/template that object templates use. @throws TemplateError */
export function parseTemplate(source: string): TemplateNode[] {
  const pieces = scan(source);
  const parser = new Parser(pieces);
  const nodes = parser.nodes();
  parser.end();
  return nodes;
}

class Parser {
  readonly #pieces: readonly Piece[];
  #at = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** Parses up to the `end` or `else` of the surrounding block, or to the end of the text. */
  nodes(): TemplateNode[] {
    const nodes: TemplateNode[] = [];
    for (let piece = this.#pieces[this.#at]; piece !== undefined; piece = this.#pieces[this.#at]) {
      if (piece.kind === 'action' && (piece.text === 'end' || ELSE.test(piece.text))) break;
      this.#at++;
      nodes.push(piece.kind === 'text' ? piece : located(piece.line, () => this.#action(piece.text)));
    }
    return nodes;
  }

  end(): void {
    const piece = this.#pieces[this.#at];
    if (piece?.kind === 'action') throw new TemplateError(`line ${piece.line}: {{${piece.text}}} without a block`);
  }

  #action(text: string): TemplateNode {
    const [unknown] = NOT_KNOWN.exec(text) ?? [];
    if (unknown !== undefined) throw new TemplateError(`{{${unknown}}} is not supported`);
    const [head, kind] = BLOCK.exec(text) ?? [];
    if (head !== undefined) return this.#block(kind as Block['kind'], text.slice(head.length));
    const reader = new ExpressionReader(text);
    const variable = reader.takeVariable();
    const isNew = variable !== undefined && reader.takeMark(':=');
    if (variable !== undefined && !isNew && !reader.takeMark('=')) throw new TemplateError('unexpected ","');
    const value = reader.pipeline();
    reader.end();
    return variable === undefined ? { kind: 'output', value } : { kind: 'assign', variable, value, isNew };
  }

  #block(kind: Block['kind'], head: string): Block {
    const reader = new ExpressionReader(head);
    const variables: string[] = [];
    for (let name = reader.takeVariable(); name !== undefined; name = reader.takeVariable()) {
      variables.push(name);
      if (reader.takeMark(':=')) break;
      if (!reader.takeMark(',')) throw new TemplateError('":=" is missing');
    }
    const value = reader.pipeline();
    reader.end();
    const body = this.nodes();
    return { kind, value, variables, body, otherwise: this.#rest(kind) };
  }

  /** Parses what follows the body of a block: `end`, or `else` with its own body. */
  #rest(kind: Block['kind']): readonly TemplateNode[] {
    const piece = this.#pieces[this.#at++];
    if (piece?.kind !== 'action') throw new TemplateError(`{{${kind}}} without {{end}}`);
    if (piece.text === 'end') return [];
    const tail = piece.text.replace(ELSE, '');
    const [head, nested] = BLOCK.exec(tail) ?? [];
    if (head !== undefined) return [this.#block(nested as Block['kind'], tail.slice(head.length))];
    if (tail !== '') throw new TemplateError(`unexpected ${JSON.stringify(tail)} behind else`);
    const nodes = this.nodes();
    const end = this.#pieces[this.#at++];
    if (end?.kind !== 'action' || end.text !== 'end') throw new TemplateError(`{{${kind}}} without {{end}}`);
    return nodes;
  }
}

function located<T>(line: number, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TemplateError) || error.message.startsWith('line ')) throw error;
    throw new TemplateError(`line ${line}: ${error.message}`);
  }
}
