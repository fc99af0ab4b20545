  /** All tools, by server. */
  export const tools: {
    /*TOOLS*/
  };
  export default tools;
