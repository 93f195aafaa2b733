// The thread that reads texts where there is no sandbox: a text that takes long to divide into blocks holds up nothing else.
import { answerCalls } from '../../thread/answer-calls.ts'
import { readTextDocument } from './read-document.ts'

const work = { read: readTextDocument }
export type TextWork = typeof work

answerCalls(work)
