// What a memory is about, as an agent or a model names it. Pure.

const user = /^(?:(?:the|this|my) )?(?:user|person|human)$|^me$/i
const agent = /^(?:(?:the|this) )?(?:agent|assistant)$|^myself$/i

/** However the user is named, what is said about them needs their own words. */
export function subjectAbout(about: string): string {
  const name = about.replace(/\s+/g, ' ').trim()
  if (name === '' || user.test(name)) return 'user'
  return agent.test(name) ? 'agent' : `entity:${name.slice(0, 200)}`
}

const mine = /\b(?:i|i'm|i've|i'd|my|me|mine|myself)\b/i

/** Whether words of the user are about the user. */
export function isAboutSpeaker(words: string): boolean {
  return mine.test(words)
}
