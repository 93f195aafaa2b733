// The name of a skill that is being typed after a / at the beginning of a message. Pure.
import type { Mention } from './mention.ts'

export function skillCommandAt(text: string, caret: number): Mention | null {
  const [, space = '', typed] = /^(\s*)\/([a-z0-9-]{0,64})$/.exec(text.slice(0, caret)) ?? []
  // In the middle of a longer word, such as a path, nothing is suggested.
  if (typed === undefined || /^[^\s]/.test(text.slice(caret))) return null
  return { begin: space.length, end: caret, typed }
}

export function withSkill(text: string, { begin, end }: Mention, name: string): { readonly text: string; readonly caret: number } {
  const command = `/${name} `
  return { text: text.slice(0, begin) + command + text.slice(end).replace(/^ /, ''), caret: begin + command.length }
}

/** Those whose name begins with what was typed, then those that contain it. */
export function matchingSkills<Skill extends { readonly name: string }>(skills: readonly Skill[], typed: string): readonly Skill[] {
  const begins = skills.filter(({ name }) => name.startsWith(typed))
  return [...begins, ...skills.filter((skill) => !begins.includes(skill) && skill.name.includes(typed))]
}
