// The sections of a document. Small ones are joined with a neighbor, so that no passage consists of a few words. Which ones are joined
// depends only on their neighbors: a change in one section does not affect those further away.
import type { Block, ParsedDocument } from '../../parse/parsed.ts'
import { isLight } from './weight.ts'

export interface Section {
  /** With its own heading, outermost first. */
  readonly headings: readonly string[]
  readonly blocks: readonly Block[]
}

interface OutlinedSection extends Section {
  /** The sections it is below, outermost first. */
  readonly above: readonly OutlinedSection[]
  readonly level: number
  readonly isSmall: boolean
}

/** In tokens, with the heading. */
const smallSection = 60
const longestHeading = 200

/** Sections that are divided into passages together. */
export function sectionGroups(document: ParsedDocument): readonly (readonly Section[])[] {
  const sections = outlined(document)
  const groups: OutlinedSection[][] = []
  sections.forEach((section, index) => {
    const before = sections[index - 1]
    const next = sections[index + 1]
    const isLast = !next || !joinsNext(section, next)
    const joins = before && (joinsNext(before, section) || (section.isSmall && isLast && isBelowSame(before, section)))
    const group = groups.at(-1)
    if (joins && group) group.push(section)
    else groups.push([section])
  })
  return groups
}

/** A small section is joined with the next one under the same parent, or with the first one below itself. */
function joinsNext(section: OutlinedSection, next: OutlinedSection): boolean {
  return section.isSmall && (section.level === 0 || next.above.includes(section) || next.above.at(-1) === section.above.at(-1))
}

/** The last small section under a parent is joined with what is before it there. */
function isBelowSame(before: OutlinedSection, section: OutlinedSection): boolean {
  const parent = section.above.at(-1)
  return parent === undefined || before === parent || before.above.includes(parent)
}

function outlined({ text, blocks }: ParsedDocument): readonly OutlinedSection[] {
  const sections: OutlinedSection[] = []
  let above: readonly OutlinedSection[] = []
  let own: Block[] = []
  let heading: Block | null = null

  function end(): void {
    if (own.length === 0) return
    const level = heading?.level ?? (heading ? 1 : 0)
    const parents = above.filter((section) => section.level < level && section.level > 0)
    const name = heading ? [nameOf(text, heading)] : []
    const from = own[0]?.from ?? 0
    const to = own.at(-1)?.to ?? 0
    const section: OutlinedSection = {
      headings: [...parents.flatMap(({ headings }) => headings.slice(-1)), ...name],
      blocks: own,
      above: parents,
      level,
      isSmall: isLight(text, from, to, smallSection),
    }
    sections.push(section)
    above = [...parents, section]
  }

  for (const block of blocks) {
    if (block.kind === 'heading') {
      end()
      own = []
      heading = block
    }
    own.push(block)
  }
  end()
  return sections
}

function nameOf(text: string, { name, from, to }: Block): string {
  return (name ?? text.slice(from, Math.min(to, from + longestHeading)))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longestHeading)
    .toWellFormed()
}
