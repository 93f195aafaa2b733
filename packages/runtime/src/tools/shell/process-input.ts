// What every tool that runs a program takes: where it runs, and for how long.
import Type from 'typebox'

export const processInput = {
  cwd: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'The folder to run in, relative to the workspace; the workspace when left out',
    }),
  ),
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: "After this many seconds it is ended; the policy's own limit may come first",
    }),
  ),
}
