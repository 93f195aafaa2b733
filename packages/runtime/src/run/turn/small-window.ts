// What is left out of a prompt so that it fits a small context window: descriptions first, then tools, the end of long instructions,
// the middle of long results. Pure. A window that holds everything gets everything.
import type { ModelTool } from '../../model/message.ts'
import type { Window } from './compaction.ts'

/** Shares of what the window has for the prompt; the rest is for the conversation. */
const toolShare = 0.35
const instructionShare = 0.1
/** Of one section of the prompt: more for what stays the same from turn to turn. */
const sectionShares = { stable: 0.1, changing: 0.05 }
const resultShare = 1 / 6

const charactersPerToken = 4

export interface FittingTools {
  readonly tools: readonly ModelTool[]
  /** Names as requests have them. */
  readonly left_out: readonly string[]
}

/** The tools in the most words that fit: whole, then with short descriptions, then without the least needed. `nameOf` turns a name of a request into the tool's own. */
export function fittingTools(tools: readonly ModelTool[], window: Window, nameOf: (wire: string) => string): FittingTools {
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

/** Kept longest first. What no row names comes after all of them, MCP tools before the rest: a user connected those. */
const ranks: readonly RegExp[] = [
  /^fs\.(?:read|write|edit|list)$/,
  /^shell\.exec$/,
  /^ask_user$/,
  /^fs\.search$/,
  /^skill\.load$/,
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

/** A property that is itself called `description` is no description: only texts are touched. */
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
export function fittingInstructions(text: string, window: Window): string {
  const room = charactersFor(window, instructionShare)
  if (text.length <= room) return text
  return `${whole(text, room)}\n[The rest of the instructions is left out: they are too long for your context window.]`
}

/** How many tokens of the window a section of the prompt has. */
export function roomFor(window: Window, { stable }: { readonly stable: boolean }): number {
  return Math.floor(charactersFor(window, stable ? sectionShares.stable : sectionShares.changing) / charactersPerToken)
}

export function cutTo(text: string, tokens: number): string {
  return text.length <= tokens * charactersPerToken ? text : `${whole(text, tokens * charactersPerToken)}\n[The rest is left out.]`
}

/** A result keeps its beginning and its end. All of it stays in the record. */
export function fittingResult(text: string, window: Window): string {
  const room = charactersFor(window, resultShare)
  if (text.length <= room) return text
  const half = Math.floor(room / 2)
  const [head, tail] = [whole(text, half), text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/, '')]
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out to fit your context window …]\n${tail}`
}

function charactersFor({ tokens, reserved }: Window, share: number): number {
  return Math.max(200, Math.floor((tokens - reserved) * share * charactersPerToken))
}

/** Never half a letter. */
function whole(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

function lengthOf(tools: readonly ModelTool[]): number {
  return JSON.stringify(tools).length
}
