// Texts while a conversation is prepared for paper.
import { translated } from '../language/language.ts'
import { locale } from './locale.ts'

export const printWords = translated('printWords', {
  loading: 'Loading all messages before printing…',
  preparing: (done: number, all: number) => `Preparing ${done.toLocaleString(locale)} of ${all.toLocaleString(locale)} parts for printing…`,
  cancel: 'Cancel',
})
