#!/bin/sh
# A UCI engine that misbehaves: misbehaving.sh MODE [FILE]
mode=$1
file=$2
while read -r word rest; do
    case $word in
    uci)
        case $mode in
        mute) sleep 60 ;;
        esac
        echo "id name Misbehaving"
        echo "option name UCI_Variant type combo default makruk var makruk"
        echo uciok
        ;;
    isready) echo readyok ;;
    quit) [ "$mode" = stubborn ] || exit 0 ;;
    go)
        answer=1
        case $mode in
        dies) exit 3 ;;
        dies-once)
            if [ ! -e "$file" ]; then
                : >"$file"
                exit 3
            fi
            ;;
        hangs | stubborn)
            sleep 60 &
            echo $! >"$file"
            wait
            ;;
        garbage) echo "info depth x score cp ten"; answer=0 ;;
        chatters) while :; do echo "info string still thinking"; done ;;
        shouts) head -c 300000 /dev/zero | tr '\0' 'x'; echo; ;;
        illegal) echo "info depth 1 score cp 5 nodes 1"; echo "bestmove a1h8"; answer=0 ;;
        nonsense) echo "info depth 1 score cp 5 nodes 1"; echo "bestmove castle"; answer=0 ;;
        scoreless) echo "bestmove e3e4"; answer=0 ;;
        esac
        if [ $answer = 1 ]; then
            echo "info depth 1 score cp 5 nodes 1 pv e3e4"
            echo "bestmove e3e4"
        fi
        ;;
    esac
done
