// What is left out of a prompt to fit a small context window: descriptions first, then tools, the end of long instructions, the middle of
// long results. Pure. A context window that fits everything gets everything.
import type { ModelTool } from '../../model/message.ts'
import type { ContextSpace } from './compaction.ts'

/** Shares of the prompt's part of the context window; the rest is for the conversation. */
const toolShare = 0.35
const instructionShare = 0.1
/** For one prompt section: more for stable ones. */
const sectionShares = { stable: 0.1, changing: 0.05 }
const resultShare = 1 / 6

const charactersPerToken = 4

export interface FittingTools {
  readonly tools: readonly ModelTool[]
  /** Names as used in requests. */
  readonly left_out: readonly string[]
}

/**
 * The tools in as much detail as fits: complete, then with short descriptions, then without the least needed. `nameOf` converts a name in
 * requests to the tool's own.
 */
export function fittingTools(tools: readonly ModelTool[], window: ContextSpace, nameOf: (wire: string) => string): FittingTools {
  const room = charactersFor(window, toolShare)
  for (const shorten of [(tool: ModelTool) => tool, withFirstSentences, withoutFieldDescriptions]) {
    const told = tools.map(shorten)
    if (lengthOf(told) <= room) return { tools: told, left_out: [] }
  }
  const kept = new Set<ModelTool>()
  let taken = 2
  for (const tool of tools.toSorted((left, right) => rankOf(nameOf(left.function.name)) - rankOf(nameOf(right.function.name)))) {
    const length = JSON.stringify(withoutFieldDescriptions(tool)).length + 1
    if (taken + length > room) continue
    taken += length
    kept.add(tool)
  }
  return {
    tools: tools.filter((tool) => kept.has(tool)).map(withoutFieldDescriptions),
    left_out: tools.filter((tool) => !kept.has(tool)).map(({ function: { name } }) => name),
  }
}

/** The ones kept longest come first. Tools without a row come last, MCP tools before the others: a user connected those. */
const ranks: readonly RegExp[] = [
  /^fs\.(?:read|write|edit|list)$/,
  /^shell\.exec$/,
  /^ask_user$/,
  /^fs\.search$/,
  /^skill\.load$/,
  /^tool\.search$/,
  /^mcp\./,
  /^web\.(?:fetch|search)$/,
  /^fs\./,
  /^todo\.(?:create|complete)$/,
  /^(?:todo|script|kb|memory)\./,
]

function rankOf(tool: string): number {
  const rank = ranks.findIndex((pattern) => pattern.test(tool))
  return rank === -1 ? ranks.length : rank
}

function withFirstSentences(tool: ModelTool): ModelTool {
  return described(tool, (text) => firstSentence(text), firstSentence)
}

function withoutFieldDescriptions(tool: ModelTool): ModelTool {
  return described(
    tool,
    (text) => firstSentence(text),
    () => undefined,
  )
}

function described(
  { type, function: { name, description, parameters } }: ModelTool,
  ofTool: (text: string) => string,
  ofField: (text: string) => string | undefined,
): ModelTool {
  return { type, function: { name, description: ofTool(description), parameters: redescribed(parameters, ofField) } }
}

/** A property that is itself named `description` is not a description: only texts are changed. */
function redescribed(schema: unknown, ofField: (text: string) => string | undefined): unknown {
  if (Array.isArray(schema)) return schema.map((one) => redescribed(one, ofField))
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key !== 'description' || typeof value !== 'string') return [[key, redescribed(value, ofField)]]
      const text = ofField(value)
      return text === undefined ? [] : [[key, text]]
    }),
  )
}

const longestSentence = 200

function firstSentence(text: string): string {
  const sentence = /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
  return sentence.length <= longestSentence ? sentence : `${sentence.slice(0, longestSentence)}…`
}

/** Instructions of an agent keep their beginning. */
export function fittingInstructions(text: string, window: ContextSpace): string {
  const room = charactersFor(window, instructionShare)
  if (text.length <= room) return text
  return `${whole(text, room)}\n[The rest of the instructions is left out: they are too long for your context window.]`
}

/** How many tokens of the context window a prompt section has. */
export function tokensForSection(window: ContextSpace, { stable }: { readonly stable: boolean }): number {
  return Math.floor(charactersFor(window, stable ? sectionShares.stable : sectionShares.changing) / charactersPerToken)
}

export function truncateTo(text: string, tokens: number): string {
  return text.length <= tokens * charactersPerToken ? text : `${whole(text, tokens * charactersPerToken)}\n[The rest is left out.]`
}

/** A result keeps its beginning and its end. The record has all of it. */
export function fittingResult(text: string, window: ContextSpace): string {
  const room = charactersFor(window, resultShare)
  if (text.length <= room) return text
  const half = Math.floor(room / 2)
  const [head, tail] = [whole(text, half), text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/, '')]
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out to fit your context window …]\n${tail}`
}

function charactersFor({ tokens, reserved }: ContextSpace, share: number): number {
  return Math.max(200, Math.floor((tokens - reserved) * share * charactersPerToken))
}

/** Never splits a character. */
function whole(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

function lengthOf(tools: readonly ModelTool[]): number {
  return JSON.stringify(tools).length
}
