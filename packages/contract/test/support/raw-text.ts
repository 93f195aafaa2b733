// What must never reach a user: text of validators, parsers, databases and the system, and names that only programs use.
// The tests of the commands, of the command line and of the window all check what is shown with this list.
import { commandNames } from '../../src/command/index.ts'
import { commands } from '../../src/command/schema.ts'
import { fieldsIn } from './invalid-values.ts'

const fields = [...new Set(commandNames.flatMap((name) => fieldsIn(commands[name].params)))]
const errnos =
  'EACCES|EADDRINUSE|EAGAIN|EBADF|EBUSY|ECONNREFUSED|ECONNRESET|EDQUOT|EEXIST|EHOSTUNREACH|EINVAL|EIO|EISDIR|ELOOP|EMFILE|ENAMETOOLONG|ENFILE|ENOENT|ENOMEM|ENOSPC|ENOTDIR|ENOTEMPTY|ENOTFOUND|EPERM|EPIPE|EROFS|ETIMEDOUT|EXDEV'

const rawTexts: Readonly<Record<string, RegExp>> = {
  // A file path is not a match: its first name is not a field.
  'a JSON pointer': new RegExp(`(?<![\\w./~…-])/(?:${fields.join('|')})(?=$|[/\\s,;:.)])`),
  'text of a validator':
    /must match (?:a |the )?(?:pattern|schema|exactly)|must be (?:object|string|array|number|integer|boolean|equal to)\b|must NOT|must have required|\b(?:any|one|all)Of\b|additionalProperties|\b[Ss]chema\b|\bExpected\b/,
  'text of a parser': /\bUnexpected (?:token|end|non-whitespace|string|number)|in JSON at position|is not valid JSON\b.*"|Unterminated/,
  'the name of a command': new RegExp(`\\b(?:${commandNames.join('|')})\\b`),
  'a stack trace': /(?:^|\s)at (?:async )?\S.*:\d+:\d+\)?|node:internal|\bfile:\/\/\S+:\d+/,
  'a value that is not text': /\[object \w+\]|\bundefined\b|\bNaN\b/,
  'text of the database':
    /[Ss][Qq][Ll]ite|SQLITE|\bSQL\b|constraint failed|no such (?:table|column)|syntax error|\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b|database is locked/,
  'the name of a system error': new RegExp(`\\b(?:${errnos})\\b|\\bERR_[A-Z_]+`),
  'text of an exception':
    /\b(?:Type|Range|Reference|Syntax|Assertion)Error\b|Cannot (?:read|set) propert|is not (?:a function|iterable|a constructor)|must be of type|Received (?:'|type|an instance)/,
}

/** Which kinds of raw text it contains, each with what was found. */
export function rawTextIn(text: string): string[] {
  return Object.entries(rawTexts).flatMap(([kind, pattern]) => {
    const [found] = pattern.exec(text) ?? []
    return found === undefined ? [] : [`${kind}: ${found.trim().slice(0, 80)}`]
  })
}
