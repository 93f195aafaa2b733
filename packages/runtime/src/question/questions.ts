// Questions to the user. Each is stored before it is shown, and is answered once, by its id.
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'
import type { Store } from '../store/store.ts'
import { invalidAnswerReason } from './answer-rule.ts'

interface QuestionRecord {
  readonly question_id: string
  readonly run_id: string
  readonly call_id: string
  readonly prompt: QuestionPrompt
  readonly answer: QuestionAnswer | null
  /** No longer open: its run ended or was restored to an earlier point. */
  readonly withdrawn: boolean
  readonly asked_at: number
  readonly answered_at: number | null
}

type AnswerOutcome =
  | { readonly ok: true; readonly value: QuestionRecord }
  | { readonly ok: false; readonly code: 'not_found' | 'nothing_pending' | 'answer_mismatch'; readonly message: string }

export interface Questions {
  ask(run: number, prompt: QuestionPrompt): void
  get(question_id: string): QuestionRecord | undefined
  /** Oldest first; of one run, or of all runs. */
  pending(run_id?: string): readonly QuestionRecord[]
  /** The first valid answer counts. */
  answer(question_id: string, answer: QuestionAnswer): AnswerOutcome
  /** Closes the question: its run no longer waits for it. */
  withdraw(question_id: string): void
}

interface QuestionRow {
  readonly question_id: string
  readonly run_id: string
  readonly call_id: string
  readonly prompt: string
  readonly answer: string | null
  readonly asked_at: number
  readonly answered_at: number | null
}

/** Stored in place of an answer: valid JSON, but never an answer. */
const withdrawn = 'null'

export function openQuestions({ sql, clock, transaction }: Store): Questions {
  function get(question_id: string): QuestionRecord | undefined {
    const row = sql.get<QuestionRow>`
      SELECT q.*, r.run_id FROM questions q JOIN runs r ON r.no = q.run WHERE q.question_id = ${question_id}`
    return row && toRecord(row)
  }

  return {
    get,
    ask(run, prompt) {
      sql.run`
        INSERT INTO questions (question_id, run, call_id, prompt, asked_at)
        VALUES (${prompt.question_id}, ${run}, ${prompt.call_id}, ${JSON.stringify(prompt)}, ${clock.now()})`
    },
    pending(run_id) {
      const rows = sql.all<QuestionRow>`
        SELECT q.*, r.run_id FROM questions q JOIN runs r ON r.no = q.run
        WHERE q.answer IS NULL AND (${run_id ?? null} IS NULL OR r.run_id = ${run_id ?? null})
        ORDER BY q.asked_at, q.question_id`
      return rows.map(toRecord)
    },
    answer(question_id, answer) {
      return transaction<AnswerOutcome>(() => {
        const question = get(question_id)
        if (!question) return { ok: false, code: 'not_found', message: `there is no question ${question_id}` }
        if (question.withdrawn)
          return {
            ok: false,
            code: 'nothing_pending',
            message: `question ${question_id} was withdrawn: its run no longer waits for an answer`,
          }
        if (question.answer) return { ok: false, code: 'nothing_pending', message: `question ${question_id} was already answered` }
        const misfit = invalidAnswerReason(question.prompt, answer)
        if (misfit) return { ok: false, code: 'answer_mismatch', message: misfit }
        const answered_at = clock.now()
        sql.run`
          UPDATE questions SET answer = ${JSON.stringify(answer)}, answered_at = ${answered_at}
          WHERE question_id = ${question_id} AND answer IS NULL`
        return { ok: true, value: { ...question, answer, answered_at } }
      })
    },
    withdraw(question_id) {
      sql.run`UPDATE questions SET answer = ${withdrawn}, answered_at = ${clock.now()} WHERE question_id = ${question_id} AND answer IS NULL`
    },
  }
}

function toRecord({ question_id, run_id, call_id, prompt, answer, asked_at, answered_at }: QuestionRow): QuestionRecord {
  return {
    question_id,
    run_id,
    call_id,
    prompt: JSON.parse(prompt),
    answer: answer === null ? null : JSON.parse(answer),
    withdrawn: answer === withdrawn,
    asked_at,
    answered_at,
  }
}
