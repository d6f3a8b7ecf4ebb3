"""The records every test run replays: small sheets, all formats, hidden information, the usual pitfalls."""

_NAMES = {
    "tiltyard": """
        cephalopodMicro-bf91bb30a1 chickentictactoe-492660127b
    """,
    "aaai2008": """
        asteroids-Aaai0811041 asteroids-Aaai0811042 asteroids-Aaai0811048 asteroidsParallel-Aaai0821061
        asteroidsParallel-Aaai0821063 asteroidsParallel-Aaai0821064 blocks-Aaai0811001 blocks-Aaai0811009
        breakthroughSmall-0812010 breakthroughSmall-0812012 breakthroughSmall-0812014
        duplicateStateMedium-Aaai0822041 duplicateStateMedium-Aaai0822042 duplicateStateMedium-Aaai0822043
        duplicateStateSmall-Aaai0822031 duplicateStateSmall-Aaai0822032 knightwar-Aaai0831042
        lightsOnParallel-Aaai0821011 lightsOnParallel-Aaai0821012 lightsOnParallel-Aaai0821013
        ruleDepthExponential-Aaai0822021 ruleDepthExponential-Aaai0822023 ruleDepthLinear-Aaai0822001
        ruleDepthLinear-Aaai0822003 ruleDepthLinear-Aaai0822006 ttcc4-0812041 ttcc4-0812042 ttcc4-0812043
    """,
    "traces": """
        maze
    """,
    "iggp": """
        buttons_and_lights centipede coins eight_puzzle fizzbuzz gt_centipede gt_ultimatum minimal_decay
        minimal_even multiplebuttonsandlights rainbow scissors_paper_stone sokoban sukoshi switches tron
        untwisty_corridor
    """,
    "clingo": """
        BankerAndThief__unsw Breakthrough__ludiigdl ConnectThreeDecompositionII__unsw HiddenConnect__unsw
        Mastermind448__unsw Minimal-ticTacToe__sancho Modified-ticTacToe2__sancho MontyHall-20door__unsw
        MontyHall2__unsw MontyHall__unsw Simple3space__sancho Tic-Tac-Toe__ludiigdl
        blind_breakthrough_5x5_CHEAT__uwa blind_breakthrough_5x5__uwa blind_breakthrough_6x6__uwa
        blind_breakthrough_7x7_CHEAT__uwa blind_breakthrough_7x7__uwa blocker blocks breakthroughSmall
        buttonsAndLights__csironi coins_atomic connectFour connectFour__ggpbase dont_touch__iggp
        duplicatestatesmall__dresden gt_attrition__dresden gt_centipede__dresden kriegTTT_4x4_CHEAT__uwa
        kriegTTT_4x4__uwa kriegTTT_5x5_CHEAT__uwa kriegTTT_5x5__uwa latenttictactoe__scully
        mastermind2x2__uwa mastermind2x3__uwa mastermind448__scully mastermind__uwa maze maze__dresden
        meier__scully minichess montyhall__ggpcpp montyhall__scully montyhall__uwa nim1 nim2 nim3 nim4
        oneCardGame__uwa-safe pennies__scully queens06ug queens08ug ruledepthexponential__ggprs
        scissor_paper_rock__ggpcpp simpleMutex__ggpbase simultaneousTicTacToe__sancho snake2p
        snake2p__cs227b switches__cs227b test_case_1a__ggpbase test_case_1b__ggpbase test_case_2a__ggpbase
        test_case_2b__ggpbase test_case_3a__ggpbase test_case_3b__ggpbase test_case_3c__ggpbase
        test_case_3d__ggpbase test_case_3e__ggpbase test_case_3f__ggpbase test_case_4a__ggpbase
        test_case_5a__ggpbase test_case_5b__ggpbase test_case_5c__ggpbase test_case_5d__ggpbase
        test_case_5e__ggpbase test_clean_not_distinct__ggpbase test_distinct_beginning_rule__ggpbase
        test_invalid_function_arities_differ__ggpbase test_invalid_sentence_arities_differ__ggpbase
        ticTacToe ticTacToe__ggpbase transit__uwa tron_10x10 twogenerals__unsw untwistycomplex__sancho
    """,
}

SAMPLE = tuple(f"{folder}/{name}" for folder, names in _NAMES.items() for name in names.split())
