/** A pipeline's newest runs. */

/**
 * The condition by which runs of a pipeline are found in the order of `pipeline desc, id desc`. As an equation it would be taken for one order with that of all
 * runs, among which a pipeline that has had none lately is looked for through the whole history.
 */
export const BY_PIPELINE = (name: string, of = "") => `${of}pipeline >= ${name} and ${of}pipeline <= ${name}`;
