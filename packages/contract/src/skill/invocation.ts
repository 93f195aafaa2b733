// How a user starts a skill: with `/` and its name at the beginning of a message.

/** The name, if the message begins with one: `/pdf-forms Fill in the form`. Paths like `/etc/hosts` are not names. */
export function invokedSkill(text: string): string | null {
  const [, name] = /^\s*\/([a-z0-9]+(?:-[a-z0-9]+)*)(?=\s|$)/.exec(text) ?? []
  return name !== undefined && name.length <= 64 ? name : null
}
