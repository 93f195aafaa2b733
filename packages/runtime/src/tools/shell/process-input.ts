// The parameters of every tool that runs a program: where it runs, and for how long.
import Type from 'typebox'

export const processInput = {
  cwd: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'The folder to run in, relative to the workspace. Default: the workspace',
    }),
  ),
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'The maximum time in seconds, after which it is ended. The time limit of the policy may be shorter',
    }),
  ),
}
