// Days, as requests name them.

/**
 * A day as the server reads it, by this machine's clock and zone.
 * @param {Date} date
 */
export const dayOf = date =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(number => String(number).padStart(2, "0")).join("-");
