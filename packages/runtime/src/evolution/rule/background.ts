// What sentences have in common for an embedder although they have nothing to do with each other. Similarities are measured from there, so that
// one threshold fits short and long sentences, and other embedders. Pure.
import { dot } from './same-demand.ts'

export interface Background {
  readonly mean: Float32Array
  readonly spread: number
}

/** Everyday requests and demands, each about something else. */
export const unrelated: readonly string[] = `
Rename the button on the start page.
Please send the letter to the office.
The list of guests is too long.
Only use the blue template for this.
Sort the photos by place.
Never open the old account again.
Book a table for six people.
Leave the heating on during the night.
The sum in the last row is wrong.
Always write the name of the street first.
Find out who wrote the song.
Keep the receipts in the box.
Do not paint the door.
Explain how the pump works.
No sugar in the tea, please.
Every lesson should start with a question.
Move the meeting to the afternoon.
I will call the doctor myself.
Draw a map of the garden.
Check whether the train is late.
With a short pause after each chapter.
The printer has no paper left.
Stay on the left side of the road.
Count the chairs in the hall.
Without music at the beginning.
Add a column for the weight.
Use the small brush for the corners.
Tell me when the bread is ready.
The lights must be off before the show.
Translate the title for the poster.
Nothing heavy on the upper shelf.
Make the logo a bit larger.`
  .trim()
  .split('\n')

/** Of the vectors of unrelated sentences, each of length 1. */
export function backgroundOf(vectors: readonly Float32Array[]): Background {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [index, value] of vector.entries()) mean[index] = (mean[index] ?? 0) + value / vectors.length
  const levels = vectors.map((vector) => dot(vector, mean))
  const similarities = vectors.flatMap((left, at) =>
    vectors.slice(at + 1).map((right, after) => dot(left, right) - ((levels[at] ?? 0) + (levels[at + 1 + after] ?? 0)) / 2),
  )
  const middle = similarities.reduce((sum, one) => sum + one, 0) / Math.max(1, similarities.length)
  const variance = similarities.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, similarities.length)
  return { mean, spread: Math.max(Math.sqrt(variance), 1e-3) }
}

/** Of length 1; a vector of zeros stays one. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? vector : vector.map((value) => value / length)
}
