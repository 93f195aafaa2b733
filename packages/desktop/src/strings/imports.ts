// Texts of the import of conversations.
import type { ImportOutcome } from '@tandem/contract/command'
import { translated } from '../language/language.ts'
import { locale } from './locale.ts'

const conversations = (number: number) => `${number.toLocaleString(locale)} ${number === 1 ? 'conversation' : 'conversations'}`

export const importWords = translated('imports', {
  title: 'Import conversations',
  lead: 'Continue conversations that you exported from ChatGPT or Claude. They are read in this window and stored on this device. Importing a file again adds only what is new.',
  file: 'Export file (conversations.json, or the zip file of the export)',
  forMemory: 'Memories may be made from what I wrote in them',
  start: 'Import',
  busy: (done: number, all: number) => `Importing ${done.toLocaleString(locale)} of ${conversations(all)}…`,
  reading: 'Reading the file…',
  done: ({ added, known, grown, copied }: Readonly<Record<ImportOutcome, number>>, from: string) =>
    [
      `Imported ${conversations(added + copied)} from ${from}${known === 0 ? '' : `; ${known.toLocaleString(locale)} ${known === 1 ? 'was' : 'were'} imported before`}.`,
      ...(grown === 0 ? [] : [`Newer messages were added to ${conversations(grown)}.`]),
      ...(copied === 0
        ? []
        : [
            `${conversations(copied)} with newer messages ${copied === 1 ? 'is' : 'are'} separate (“newer export”), because you continued ${copied === 1 ? 'the one' : 'those'} imported before.`,
          ]),
    ].join(' '),
  problems: (number: number) => `${number.toLocaleString(locale)} ${number === 1 ? 'part was' : 'parts were'} left out`,
  stopped: (title: string, done: number, all: number, { message, remedy }: { readonly message: string; readonly remedy: string }) =>
    `The import stopped at “${title}”, after ${done.toLocaleString(locale)} of ${conversations(all)}: ${message}. ${remedy} Then import the file again: nothing is added twice.`,
  from: (name: string) => `Imported from ${name}`,
  tooLarge: (megabytes: number) =>
    `The file is larger than ${megabytes} MB. Request an export with fewer conversations, or split its list.`,
  notJson: 'The file is not JSON. Choose the conversations.json of the export, or its zip file.',
  noEntry: 'The zip file has no conversations.json. Choose the zip file of an export of ChatGPT or Claude.',
  damaged: 'The zip file is damaged or incomplete. Download the export again.',
  encrypted: 'The zip file is protected with a password. Unpack it, and choose its conversations.json.',
  method: 'The zip file is compressed in a way that Tandem does not read. Unpack it, and choose its conversations.json.',
})
